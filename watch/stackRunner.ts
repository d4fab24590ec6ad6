import { resolve } from "node:path";
import { Clusters } from "../commands/up/looking.ts";
import { runOnce } from "../commands/up/runOnce.ts";
import { type ChosenRun, runPlan } from "../commands/up/runPlan.ts";
import type { Configuration } from "../config/model/settings.ts";
import { stackFile } from "../config/sources/files.ts";
import { configurationIn, sourcesOf } from "../config/sources/load.ts";
import { warningsOf } from "../plan/messages/catalogue.ts";
import type { Processes } from "../runs/lock.ts";
import { Progress } from "../runs/progress.ts";
import type { PulumiStack } from "../runs/pulumiStack.ts";
import type { PulumiUpResult } from "../runs/pulumiUp.ts";
import { RefreshTracker } from "../runs/refreshTracker.ts";
import { type StackOptions, selectedStack, stackConfig } from "../runs/selectedStack.ts";
import { pastLeftLock } from "../runs/staleLock.ts";
import { isTooLong } from "../runs/targetedRun.ts";

/** Whom an up is about. */
export interface UpRequest {
  /** Names of members; undefined or none: all of it. */
  readonly target: readonly string[] | undefined;
  /** Whether Pulumi looks first at what is there, of the targeted members alone if it has a target. */
  readonly refresh: boolean;
  /** Whether a targeted one may make so much that it pays to find out if it can do without checkpoints. Default: no. */
  readonly isLarge?: boolean;
}

/** What became of an up, and what it had to do first. */
export type UpResult = PulumiUpResult & {
  /** The lock that it has freed. */
  readonly recovered?: string;
  /** Names of members of whom it has taken into the state what a killed run had left. */
  readonly takenIn?: readonly string[];
  /** Whether Pulumi wrote the state once, at the end. */
  readonly isWrittenOnce?: boolean;
};

/** A stack that is brought up again and again. */
export interface StackRunner {
  /**
   * The stack's configuration as it is now, decrypted as Pulumi has it.
   * @throws RunError naming every mistake, or why Pulumi can't read it
   */
  configuration(): Promise<Configuration>;
  /**
   * Brings the stack up; one after the other, if several are asked for. After a failure, and after the start, it refreshes
   * what the last one may have left half-done, whether asked to or not. It frees a lock whose holder ran on this machine
   * and is gone, and tries again.
   * @param signal ends it with one SIGINT to Pulumi, which finishes what it has begun. Abort it on SIGTERM. Ctrl-C in a
   *   terminal reaches Pulumi by itself, so that on SIGINT there is only the end to be waited for; an abort does no harm.
   */
  up(request: UpRequest, signal: AbortSignal): Promise<UpResult>;
  /** The files whose edits matter, absolute: `Pulumi.yaml`, `Pulumi.<stack>.yaml`, a shard's family's, and the members file as last read. */
  files(): readonly string[];
}

/**
 * Opens a project's stack for the ordinary `pulumi` on the PATH, with the environment of this process.
 * @param processes by which it is judged who has left a lock. Default: this machine's
 * @throws RunError saying why it can't be
 * @see https://www.pulumi.com/docs/iac/automation-api/
 */
export async function openStack(options: StackOptions, processes?: Processes): Promise<StackRunner> {
  const { stack } = await selectedStack(options);
  return new Runner(stack, options, processes);
}

class Runner implements StackRunner {
  readonly #stack: PulumiStack;
  readonly #folder: string;
  readonly #configFile: string | undefined;
  readonly #processes: Processes | undefined;
  readonly #refreshTracker = new RefreshTracker();
  /** Further files that its settings and members stand in. */
  #others: readonly string[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(stack: PulumiStack, { folder, configFile }: StackOptions, processes: Processes | undefined) {
    this.#processes = processes;
    this.#stack = stack;
    this.#folder = folder;
    this.#configFile = configFile;
  }

  async configuration(): Promise<Configuration> {
    const { name } = this.#stack;
    const sources = sourcesOf(await stackConfig(this.#stack), name, this.#folder);
    // Also where it is refused: it may be one of these that is mended.
    const ofFamily = sources.stack.raw.shardOf === undefined ? [] : [sources.stack.file];
    const ofMembers = sources.members === undefined ? [] : [sources.members.file];
    this.#others = [...ofFamily, ...ofMembers, ...(sources.pages?.files ?? [])];
    return configurationIn(sources, name);
  }

  files(): readonly string[] {
    const ofStack = this.#configFile ?? stackFile(this.#folder, this.#stack.name);
    const files = ["Pulumi.yaml", ofStack, ...this.#others];
    return files.map((file) => resolve(this.#folder, file));
  }

  async up(request: UpRequest, signal: AbortSignal): Promise<UpResult> {
    const run = this.#last.then(() => this.#recoveringUp(request, signal));
    this.#last = run.catch(() => undefined);
    return await run;
  }

  async #recoveringUp(request: UpRequest, signal: AbortSignal): Promise<UpResult> {
    let recovered: string | undefined;
    const result = await pastLeftLock(
      this.#stack,
      () => this.#up(request, signal),
      (freed) => {
        [recovered] = warningsOf([freed]).map(({ text }) => text);
        this.#refreshTracker.ofAll();
      },
      this.#processes,
    );
    return recovered === undefined ? result : { ...result, recovered };
  }

  async #up({ target, refresh, isLarge = false }: UpRequest, signal: AbortSignal): Promise<UpResult> {
    const names = target === undefined || target.length === 0 || isTooLong(target) ? undefined : target;
    const plan = chosenRun(names, refresh || this.#refreshTracker.matterTo(names));
    const result = await this.#run(plan, isLarge || names === undefined, signal);
    if (result.outcome === "succeeded") {
      this.#refreshTracker.settle(names);
    } else if (result.outcome !== "locked") {
      this.#refreshTracker.raise(names);
    }
    return result;
  }

  /** @param looks whether cluster and state are compared first, as `kubecamp up` does: that takes a second or two */
  async #run(plan: ChosenRun, looks: boolean, signal: AbortSignal): Promise<UpResult> {
    const parts = { progress: new Progress(), signal, waits: false };
    // Where the configuration has mistakes by now, the program says so.
    const configuration = looks ? await this.configuration().catch(() => undefined) : undefined;
    if (configuration === undefined) {
      return await runPlan(this.#stack, this.#stack.name, plan, parts);
    }
    let did: Pick<UpResult, "takenIn" | "isWrittenOnce"> = {};
    const result = await runOnce({ stack: this.#stack, configuration }, new Clusters(() => undefined), {
      ...parts,
      choose: () => plan,
      takesIn: plan.kind === "all",
      onTakenIn: (takenIn) => {
        did = { ...did, takenIn };
      },
      onRun: (_, isWrittenOnce) => {
        did = { ...did, ...(isWrittenOnce ? { isWrittenOnce } : {}) };
      },
    });
    // It was stopped while it looked, which is all that keeps this run from being run.
    return result.outcome === "unchanged" || result.outcome === "refused"
      ? { outcome: "cancelled", changes: [] }
      : { ...result, ...did };
  }
}

/** @param names undefined: everybody */
const chosenRun = (names: readonly string[] | undefined, refresh: boolean): ChosenRun =>
  names === undefined
    ? { kind: "all", refresh, why: "the watch asks for it" }
    : { kind: "members", members: names, removedMembers: [], refresh };
