import { type ChildProcess, fork } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "../../../../sandbox/paths.ts";
import {
  type Caller,
  findRunModule,
  type Outcome,
  outcomeOf,
  type ProgramRunner,
  runProgram,
} from "../../../../sandbox/standins/language/program.ts";
import { clockOptions } from "../heldClock.ts";
import { entries } from "./entries.ts";
import type { Finished, Printed, Start } from "./programServer.ts";

/**
 * Runs the repository's own programs in processes that keep what they have loaded for the next run: a start is a third of a
 * small run's CPU. All else gets a process of its own, as every program does that a user runs: a copy of the program, one
 * with options for Node other than a test's clock, and one that is wanted while three others run.
 */
export const runWarmProgram: ProgramRunner = async (invocation, caller, signal) => {
  const { args, env } = invocation;
  const environment = { ...caller.environment, ...env };
  const entry = await realpath(join(args[args.indexOf("--pwd") + 1] ?? "", "index.ts")).catch(() => undefined);
  const isOurs = args[0] === findRunModule(repository) && entry !== undefined && entries.includes(entry);
  const fits = Object.values(environment).every((value) => value === undefined || value.length < longestVariable);
  await Promise.allSettled(ending);
  if (signal.aborted) {
    return outcomeOf(null, "SIGINT");
  }
  const slot = slots.find(({ isBusy }) => !isBusy);
  const isUsual = [process.env.NODE_OPTIONS, clockOptions].includes(environment.NODE_OPTIONS);
  if (!isOurs || !fits || slot === undefined || !isUsual) {
    return await runProgram(invocation, caller, signal);
  }
  slot.isBusy = true;
  slot.server = slot.server?.connected ? slot.server : start();
  const running = runIn(slot.server, { args, environment }, caller, signal);
  const awaitEnd = (): void => {
    ending.add(running);
  };
  signal.addEventListener("abort", awaitEnd);
  try {
    return await running;
  } finally {
    signal.removeEventListener("abort", awaitEnd);
    ending.delete(running);
    slot.isBusy = false;
  }
};

/** Linux takes no longer one, MAX_ARG_STRLEN, which is the system's to say. */
const longestVariable = 128 * 1024;

/**
 * Milliseconds for a program to notice that its engine is gone, after which nothing is left for it to do: it can run again
 * then. One that waits for something else is killed.
 */
const patience = 3000;

interface Slot {
  isBusy: boolean;
  server?: ChildProcess;
}

/** Three for runs of shards side by side. */
const slots: readonly Slot[] = [{ isBusy: false }, { isBusy: false }, { isBusy: false }];
/** The ends of programs that Pulumi has ended, which are awaited by the next. */
const ending = new Set<Promise<unknown>>();

async function runIn(program: ChildProcess, start: Start, caller: Caller, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const hear = (message: Printed | Finished): void => {
    if ("code" in message) {
      resolve(outcomeOf(message.code, null));
    } else {
      caller[message.stream].write(message.text);
    }
  };
  const end = (code: number | null, by: NodeJS.Signals | null): void => resolve(outcomeOf(code, by));
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    timer = setTimeout(() => program.kill("SIGKILL"), patience);
  };
  // One that has ended in this very moment gets no message.
  const fail = (error: Error): void => resolve({ error: error.message, bail: false });
  program.on("message", hear).once("close", end).once("error", fail);
  signal.addEventListener("abort", stop, { once: true });
  program.send(start);
  try {
    return await promise;
  } finally {
    program.off("message", hear).off("close", end).off("error", fail);
    signal.removeEventListener("abort", stop);
    clearTimeout(timer);
  }
}

/** It ends with us: its channel closes. */
function start(): ChildProcess {
  const program = fork(fileURLToPath(new URL("programServer.ts", import.meta.url)), { cwd: repository, execArgv: [] });
  program.unref();
  program.channel?.unref();
  return program;
}
