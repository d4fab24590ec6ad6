import { resolve } from "node:path";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../cluster/api/message.ts";
import { readKeptHomes } from "../cluster/read/keptHomes.ts";
import { archiveDue, type DueArchives } from "../commands/archive/due.ts";
import { dueIn } from "../commands/archive/dueIn.ts";
import { Clusters } from "../commands/up/looking.ts";
import { type ChosenRun, type RunParts, runPlan } from "../commands/up/plan/runPlan.ts";
import { runOnce } from "../commands/up/runOnce.ts";
import type { Configuration } from "../config/model/settings/settings.ts";
import { stackFile } from "../config/sources/files.ts";
import { sourcesOf, withLeavers } from "../config/sources/load.ts";
import { warningsOf } from "../plan/messages/catalogue.ts";
import type { Finding } from "../plan/messages/finding.ts";
import type { Processes } from "../runs/lock.ts";
import { Progress } from "../runs/progress.ts";
import { PulumiStack } from "../runs/pulumiStack.ts";
import type { PulumiUpResult } from "../runs/pulumiUp.ts";
import { RefreshTracker } from "../runs/refreshTracker.ts";
import { type StackOptions, selectedStack, stackConfig, UnreadLeavers } from "../runs/selectedStack.ts";
import { pastLeftLock } from "../runs/staleLock.ts";
import { isChanged, keepFiles, withKeptFiles } from "./keptFiles.ts";

/** Scope of an up. */
export interface UpRequest {
  /** Names of the targeted members; undefined or empty: the whole stack. */
  readonly target: readonly string[] | undefined;
  /** Whether Pulumi refreshes first: the targeted members, or the whole stack without targets. */
  readonly refresh: boolean;
  /** Whether a targeted up may create so much that a comparison pays, to see if it can skip checkpoints. Default: no. */
  readonly isLarge?: boolean;
}

/** Result of an up, with the recovery before it. */
export type UpResult = PulumiUpResult & {
  /** Message about the stale lock that was removed. */
  readonly recovered?: string;
  /** What was found that neither the list nor the state has, and deleted, or left for a reason. */
  readonly cleared?: readonly Finding[];
  /** Members whose day had come, archived or not; absent if there were none. */
  readonly due?: DueArchives;
  /** Whether Pulumi wrote the state only once, at the end. */
  readonly isWrittenOnce?: boolean;
};

/**
 * Opens a project's stack for the `pulumi` on the PATH, with this process's environment. `stop` also ends reading its
 * configuration.
 * @param processes those of the watch that holds the Lease, whose locks it frees. Default: no lock is freed
 * @throws RunError saying why it can't be opened
 * @see https://www.pulumi.com/docs/iac/automation-api/
 */
export async function openStack(options: StackOptions, processes?: Processes): Promise<StackRunner> {
  const { stack } = await selectedStack(options);
  return new StackRunner({ stack, folder: options.folder }, processes);
}

/** Milliseconds after which a full up begins with no further archive, and for one archive: others wait to be suspended. */
const longestArchiving = 2 * 60_000;
/** Looks at a new snapshot: 20 seconds of them. Who is suspended by this up should not wait for a slow driver. */
const snapshotLooks = 10;

/** Where Pulumi runs: in the project's folder, or in a copy with the kept files. */
interface Place {
  readonly stack: PulumiStack;
  readonly folder: string;
}

/** A stack for repeated ups. */
export class StackRunner {
  readonly #place: Place;
  readonly #processes: Processes | undefined;
  readonly #refreshTracker = new RefreshTracker();
  /** Members whose archive failed the last time. */
  #unarchived: ReadonlySet<string> = new Set();
  /** Further files with its settings and members. */
  #others: readonly string[] = [];
  /** Files of the last configuration that could be read. */
  #kept: ReturnType<typeof keepFiles> = new Map();
  #isUnread = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: Place, processes: Processes | undefined) {
    this.#place = place;
    this.#processes = processes;
  }

  /**
   * Reads the stack's current configuration, with secrets decrypted, and keeps it for the time when there are mistakes.
   * @throws RunError naming every mistake
   * @throws UnreadConfiguration where Pulumi can't read it, UnreadLeavers where the cluster doesn't say who is in their grace
   */
  async configuration(): Promise<Configuration> {
    const before = keepFiles(this.files());
    try {
      const read = await this.#read(this.#place, (others) => {
        this.#others = others;
      });
      const after = keepFiles(this.files());
      // What was saved meanwhile may have mistakes: it is read next.
      this.#kept = isChanged(before, after) ? this.#kept : after;
      this.#isUnread = false;
      return read;
    } catch (error) {
      this.#isUnread = this.#kept.size > 0;
      throw error;
    }
  }

  /**
   * The last configuration that could be read, as of today, whatever is in the files now.
   * @throws as `configuration` does, such as when its context is no longer in the kubeconfig
   */
  async kept(): Promise<Configuration> {
    return await this.#withKept((place) => this.#read(place));
  }

  /** @param onFiles called with further files, also if the configuration is refused: the edit that corrects it may be there */
  async #read({ stack, folder }: Place, onFiles = (_: readonly string[]): void => {}): Promise<Configuration> {
    const { name, workspace } = stack;
    const { stop } = workspace;
    const sources = sourcesOf(await stackConfig(stack), name, folder);
    const ofFamily = sources.stack.raw.shardOf === undefined ? [] : [sources.stack.file];
    const ofMembers = sources.members === undefined ? [] : [sources.members.file];
    onFiles([...ofFamily, ...ofMembers, ...(sources.pages?.files ?? []), ...(sources.objects?.keys() ?? [])]);
    const read = await withLeavers(sources, name, async (settings) => {
      findApiTarget(settings.cluster.context);
      return await readKeptHomes(settings, stop === undefined ? {} : { signal: stop }, "watch").catch(
        (error: unknown) => {
          throw new UnreadLeavers(messageOf(error));
        },
      );
    });
    // A context that is not in the kubeconfig is a mistake like any other, and no outage.
    findApiTarget(read.settings.cluster.context);
    return read;
  }

  async #withKept<T>(act: (place: Place) => Promise<T>): Promise<T> {
    const { stack, folder } = this.#place;
    return await withKeptFiles(folder, this.#kept, (copy) =>
      act({ stack: new PulumiStack(stack.name, { ...stack.workspace, workDir: copy }), folder: copy }),
    );
  }

  /** Absolute paths to watch: `Pulumi.yaml`, the stack's and a shard family's files, the last read members and pages. */
  files(): readonly string[] {
    const { stack, folder } = this.#place;
    const files = ["Pulumi.yaml", stackFile(folder, stack.name), ...this.#others];
    return files.map((file) => resolve(folder, file));
  }

  /**
   * Brings the stack up with the configuration in the files, or with the kept one if that could not be read; concurrent calls
   * run one after the other. The first up, and each after a failure, also refreshes the parts that the last one may have left
   * half-done. A lock that an earlier process of this watch has left is removed, and the up tried again.
   * @param signal ends it with one SIGINT to Pulumi, which finishes the operations that it has begun; with none where Ctrl-C
   * in a terminal has reached Pulumi already
   * @param onProgress called with each event of Pulumi's, and each member who is archived
   */
  async up(request: UpRequest, signal: AbortSignal, onProgress: () => void = () => {}): Promise<UpResult> {
    const act = (place: Place) => this.#recoveringUp(place, request, signal, onProgress);
    const run = this.#last.then(() => (this.#isUnread ? this.#withKept(act) : act(this.#place)));
    this.#last = run.catch(() => undefined);
    return await run;
  }

  async #recoveringUp(
    place: Place,
    request: UpRequest,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<UpResult> {
    let recovered: string | undefined;
    const result = await pastLeftLock(
      place.stack,
      () => this.#up(place, request, signal, onProgress),
      (freed) => {
        [recovered] = warningsOf([freed]).map(({ text }) => text);
        this.#refreshTracker.ofAll();
      },
      this.#processes,
    );
    return recovered === undefined ? result : { ...result, recovered };
  }

  async #up(
    place: Place,
    { target, refresh, isLarge = false }: UpRequest,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<UpResult> {
    const names = target === undefined || target.length === 0 ? undefined : target;
    const plan = chosenRun(names, refresh || this.#refreshTracker.matterTo(names));
    const parts = { progress: new Progress(onProgress), signal, waits: false };
    const result = await this.#run(place, plan, isLarge || names === undefined, parts, onProgress);
    if (result.outcome === "succeeded") {
      this.#refreshTracker.settle(names);
    } else if (result.outcome !== "locked") {
      this.#refreshTracker.raise(names);
    }
    return result;
  }

  /** @param looks whether to compare cluster and state first, as `kubecamp up` does: takes a second or two */
  async #run(
    place: Place,
    plan: ChosenRun,
    looks: boolean,
    parts: RunParts,
    onProgress: () => void,
  ): Promise<UpResult> {
    const { signal } = parts;
    // If the configuration has mistakes by now, the program reports them.
    const read = looks ? await this.#read(place).catch(() => undefined) : undefined;
    const run = (by: Configuration | undefined) => this.#runBy(by, place, plan, parts);
    const first = await run(read);
    if (plan.kind !== "all" || first.outcome === "locked" || first.outcome === "cancelled") {
      return first;
    }
    // Only now, since an archive may take minutes: who is suspended loses access first.
    const due = await this.#archived(read, signal, onProgress);
    if (due === undefined || due.archived.length === 0) {
      return due === undefined ? first : { ...first, due };
    }
    // Members archived now leave with a second run.
    const second = await run(await this.#read(place).catch(() => undefined));
    const did = { ...(first.cleared && { cleared: first.cleared }), ...second, due };
    return did.outcome === "locked" ? did : { ...did, changes: [...first.changes, ...did.changes] };
  }

  /** @param configuration to compare with first; undefined: no comparison */
  async #runBy(
    configuration: Configuration | undefined,
    { stack }: Place,
    plan: ChosenRun,
    parts: RunParts,
  ): Promise<UpResult> {
    const { signal } = parts;
    if (configuration === undefined) {
      return await runPlan(stack, stack.name, plan, parts);
    }
    let did: Pick<UpResult, "cleared" | "isWrittenOnce"> = {};
    const result = await runOnce({ stack, configuration }, new Clusters(() => undefined, "watch"), {
      ...parts,
      choose: () => plan,
      clears: plan.kind === "all",
      onCleared: (findings) => {
        did = { ...did, cleared: [...(did.cleared ?? []), ...findings] };
      },
      onRun: (_, isWrittenOnce) => {
        did = { ...did, ...(isWrittenOnce ? { isWrittenOnce } : {}) };
      },
    }).catch((error: unknown) => {
      // A stop ends the reading of the state with an error.
      if (signal.aborted) {
        return { outcome: "cancelled", changes: [] } as const;
      }
      throw error;
    });
    // This run was stopped during the comparison: nothing else leads to these two outcomes here.
    return result.outcome === "unchanged" || result.outcome === "refused"
      ? { outcome: "cancelled", changes: [] }
      : { ...result, ...did };
  }

  /** Archives those of this stack whose day has come; undefined if nobody's has. Each shard's watch reads the members of all. */
  async #archived(
    configuration: Configuration | undefined,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<DueArchives | undefined> {
    const own = configuration === undefined ? [] : dueIn(configuration);
    if (configuration === undefined || own.length === 0) {
      return undefined;
    }
    const end = performance.now() + longestArchiving;
    const due = await archiveDue(
      { ...configuration, members: own },
      {
        ...{ signal, notify: onProgress, tryLast: this.#unarchived, looks: snapshotLooks, longest: longestArchiving },
        isOver: () => performance.now() >= end,
      },
    ).catch(() => undefined);
    this.#unarchived = new Set(due?.failed.map(({ member }) => member));
    return due;
  }
}

/** @param names undefined: all members */
const chosenRun = (names: readonly string[] | undefined, refresh: boolean): ChosenRun =>
  names === undefined
    ? { kind: "all", refresh, why: "the watch asks for it" }
    : { kind: "members", members: names, removedMembers: [], refresh };
