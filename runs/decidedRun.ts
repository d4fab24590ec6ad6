import { AsyncLocalStorage } from "node:async_hooks";
import { givenRun, inRun } from "../components/givenRun.ts";
import type { Run } from "../plan/decide/run.ts";
import { targetsOf } from "../plan/decisions/target.ts";
import { mainModule } from "./mainModule.ts";
import type { Progress } from "./progress.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import { type EngineRun, type PulumiUpResult, pulumiUp } from "./pulumiUp.ts";

export async function makeRun(
  stack: PulumiStack,
  { inspected, ...run }: Pick<EngineRun, "kind" | "refresh"> & { readonly inspected: Run },
  signal: AbortSignal,
  progress: Progress,
): Promise<PulumiUpResult> {
  const ended = new AbortController();
  const given = { told: progress.told, ended: ended.signal };
  const main = mainModule(stack.workspace.workDir);
  const target = targetsOf(inspected.asked);
  const program = async () => {
    ended.signal.addEventListener("abort", await leaving());
    return await inRun(given, inspected, main);
  };
  begin();
  try {
    return await pulumiUp(stack, { ...run, program, ...(target && { target }) }, signal, progress);
  } finally {
    ended.abort();
    end();
  }
}

type Listener = (...args: unknown[]) => void;
const events: readonly string[] = ["uncaughtException", "unhandledRejection"];
const programs = new AsyncLocalStorage<object>();
const listening = new Set<Listener>();

let active = 0;
let print = process.stdout.write;
const { on } = process;

/** What a program prints must not come between what a command prints for others to read; and each has its own errors. */
function begin(): void {
  if (active++ === 0) {
    process.off("unhandledRejection", late);
    process.on = (event: string, listener: never) =>
      Reflect.apply(on, process, [event, events.includes(event) ? ofOneProgram(listener) : listener]);
    const { stdout, stderr } = process;
    print = stdout.write;
    stdout.write = ((...texts: Parameters<typeof print>) =>
      givenRun() === undefined ? print.apply(stdout, texts) : stderr.write(...texts)) as typeof print;
  }
}

/** Pulumi's SDK has each program listen to all errors of the process, so one shard's would end the others' runs. */
function ofOneProgram(listener: Listener): Listener {
  const program = programs.getStore() ?? {};
  programs.enterWith(program);
  const own: Listener = (...args) => {
    if ((programs.getStore() ?? program) === program) {
      listener(...args);
    }
  };
  listening.add(own);
  // By which the SDK takes it off again.
  return Object.assign(own, { listener });
}

/** Takes off the listeners that a program leaves which never ends, since Pulumi was killed: others' errors are not its own. */
function end(): void {
  if (--active === 0) {
    process.stdout.write = print;
    process.on = on;
    for (const event of events) {
      for (const own of listening) {
        process.off(event, own);
      }
    }
    listening.clear();
    process.on("unhandledRejection", late);
  }
}

/** What such a program still waits for is rejected when its connections close, and would end this process. */
function late(error: unknown): void {
  if (programs.getStore() === undefined) {
    throw error;
  }
}

/** Pulumi's SDK leaves connections open, whose timers would keep all that the run has registered for half an hour. */
async function leaving(): Promise<() => void> {
  const { runtime } = await import("@pulumi/pulumi");
  const inProgram = AsyncLocalStorage.snapshot();
  return () =>
    inProgram(() => {
      for (const client of [runtime.getMonitor(), runtime.getEngine()]) {
        (client as { close?(): void } | undefined)?.close?.();
      }
      const root: { readonly __childResources?: Set<unknown> } = Object(runtime.getStackResource());
      root.__childResources?.clear();
      runtime.resetOptions("", "", -1, "", "", false, "");
    });
}
