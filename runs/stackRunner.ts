import { resolve } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type { Configuration } from "../config/model/settings.ts";
import { stackFile } from "../config/sources/files.ts";
import { configurationIn, sourcesOf } from "../config/sources/load.ts";
import { warningsOf } from "../plan/messages/catalogue.ts";
import type { Processes } from "./lock.ts";
import { type PulumiUpResult, pulumiUp } from "./pulumiUp.ts";
import { RefreshTracker } from "./refreshTracker.ts";
import { type StackOptions, selectedStack, stackConfig } from "./selectedStack.ts";
import { pastLeftLock } from "./staleLock.ts";
import { isTooLong, withTargetedWorkspace } from "./targetedRun.ts";

export type { Change } from "./progress.ts";

/** Whom an up is about. */
export interface UpRequest {
  /** Names of members; undefined or none: all of it. */
  readonly target: readonly string[] | undefined;
  /** Whether Pulumi looks first at what is there, of the aimed members alone if there is an aim. */
  readonly refresh: boolean;
}

/** What became of an up, and what it had to free first. */
export type UpResult = PulumiUpResult & { readonly recovered?: string };

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
  readonly #stack: Stack;
  readonly #folder: string;
  readonly #configFile: string | undefined;
  readonly #processes: Processes | undefined;
  readonly #refreshTracker = new RefreshTracker();
  /** Further files that its settings and members stand in. */
  #others: readonly string[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(stack: Stack, { folder, configFile }: StackOptions, processes: Processes | undefined) {
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

  async #up({ target, refresh }: UpRequest, signal: AbortSignal): Promise<UpResult> {
    const { workspace, name } = this.#stack;
    const names = target === undefined || target.length === 0 || isTooLong(target) ? undefined : target;
    const mustRefresh = this.#refreshTracker.matterTo(names);
    // Also one about everybody: none of these runs is to wait for anybody.
    const result = await withTargetedWorkspace(workspace, { stack: name, members: names }, (options) =>
      pulumiUp(this.#stack, { ...options, refresh: refresh || mustRefresh }, signal),
    );
    if (result.outcome === "succeeded") {
      this.#refreshTracker.settle(names);
    } else if (result.outcome !== "locked") {
      this.#refreshTracker.raise(names);
    }
    return result;
  }
}
