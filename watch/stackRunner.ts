import { messageOf } from "../cluster/api/errors.ts";
import { archiveDue, type DueArchives, dueIn } from "../commands/archive/due.ts";
import { Clusters } from "../commands/up/looking.ts";
import { runOnce } from "../commands/up/runOnce.ts";
import type { Configuration } from "../config/settings.ts";
import { differingIn, type PlanAndState } from "../plan/decide/differing.ts";
import { begunBeside, type NextRun } from "../plan/decide/nextRun.ts";
import { warningsOf } from "../plan/words/catalogue.ts";
import type { Finding } from "../plan/words/finding.ts";
import type { Processes } from "../runs/lock.ts";
import { Progress } from "../runs/progress.ts";
import type { PulumiStack } from "../runs/pulumiStack.ts";
import type { PulumiUpResult } from "../runs/pulumiUp.ts";
import { type StackOptions, selectedStack } from "../runs/selectedStack.ts";
import { pastLeftLock } from "../runs/staleLock.ts";
import { StackSources } from "./stackSources.ts";

export interface UpScope {
  /** Names of the targeted members; undefined: the whole stack. */
  readonly target: readonly string[] | undefined;
  /** Whether Pulumi refreshes first in any case, and not only where its state is wrong about these members. */
  readonly refresh: boolean;
}

export type UpResult = PulumiUpResult & {
  readonly recovered?: string;
  /** Objects in neither the list nor the state that were deleted, or left for a reason. */
  readonly cleared?: readonly Finding[];
  /** Members whose day had come, archived or not; absent if there were none. */
  readonly due?: DueArchives;
  readonly isWrittenOnce?: boolean;
  /** Keys (`objectKey`) of admission policies that differ, and that this identity may not write; absent if there are none. */
  readonly leftPolicies?: readonly string[];
};

/**
 * @param processes those of the watch that holds the Lease, whose locks it frees. Default: no lock is freed
 * @see https://www.pulumi.com/docs/iac/automation-api/
 */
export async function openStack(options: StackOptions, processes?: Processes): Promise<StackRunner> {
  const { stack } = await selectedStack(options);
  return new StackRunner(stack, options.folder, processes);
}

/** Milliseconds after which a full up begins with no further archive, and for one archive: others wait to be suspended. */
const longestArchiving = 2 * 60_000;
/** Looks at a new snapshot: 20 seconds of them. Who is suspended by this up should not wait for a slow driver. */
const snapshotLooks = 10;

interface Control {
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

export class StackRunner {
  readonly sources: StackSources;
  readonly #stack: PulumiStack;
  readonly #processes: Processes | undefined;
  /** Members whose archive failed the last time. */
  #unarchived: ReadonlySet<string> = new Set();

  constructor(stack: PulumiStack, folder: string, processes: Processes | undefined) {
    this.sources = new StackSources(stack, folder);
    this.#stack = stack;
    this.#processes = processes;
  }

  /**
   * Brings the stack up with the configuration in the files, or with the kept one if that could not be read; one at a time.
   * A lock that an earlier process of this watch has left is removed, and the up tried again.
   * @param signal ends it with one SIGINT to Pulumi, which finishes the operations that it has begun; with none where Ctrl-C
   * in a terminal has reached Pulumi already
   * @param onProgress called with each event of Pulumi's, and each member who is archived
   */
  async up(scope: UpScope, signal: AbortSignal, onProgress: () => void = () => {}): Promise<UpResult> {
    return await this.sources.withKeptFile(async () => {
      let recovered: string | undefined;
      const result = await pastLeftLock(
        this.#stack,
        () => this.#up(scope, { signal, onProgress }),
        (freed) => {
          recovered = warningsOf([freed])[0]?.text;
        },
        this.#processes,
      );
      return recovered === undefined ? result : { ...result, recovered };
    });
  }

  async #up(scope: UpScope, control: Control): Promise<UpResult> {
    const run = async (by: Configuration) => await this.#runBy(by, (look) => chosenRun(look, scope), control);
    const configuration = await this.sources.kept();
    const first = await run(configuration);
    if (scope.target !== undefined || first.outcome === "locked" || first.outcome === "cancelled") {
      return first;
    }
    // Only now, since an archive may take minutes: who is suspended loses access first.
    const due = await this.#archived(configuration, control);
    if (due === undefined || due.archived.length === 0) {
      return due === undefined ? first : { ...first, due };
    }
    // Members archived now leave with a second run.
    return await withSecond({ ...first, due }, async () => await run(await this.sources.kept()));
  }

  async #runBy(
    configuration: Configuration,
    choose: (look: PlanAndState) => NextRun,
    { signal, onProgress }: Control,
  ): Promise<UpResult> {
    const progress = new Progress(onProgress);
    const result = await runOnce({ stack: this.#stack, configuration }, new Clusters(() => undefined, "watch"), {
      ...{ progress, signal, waits: false, choose },
    }).catch((error: unknown) => {
      // A stop ends the reading of the state with an error.
      if (signal.aborted) {
        return { outcome: "cancelled", changes: [] } as const;
      }
      throw error;
    });
    const leftPolicies = progress.told.warnings.flatMap(({ code, object = [] }) =>
      code === "leftPolicy" ? object : [],
    );
    switch (result.outcome) {
      case "refused":
        // It was stopped before it began: nothing else is refused here.
        return { outcome: "cancelled", changes: [] };
      case "unchanged":
        return { outcome: "succeeded", changes: [] };
      default:
        return { ...result, ...(leftPolicies.length > 0 ? { leftPolicies } : {}) };
    }
  }

  /** Archives those of this stack whose day has come; undefined if nobody's has. Each shard's watch reads the members of all. */
  async #archived(
    configuration: Configuration,
    { signal, onProgress: notify }: Control,
  ): Promise<DueArchives | undefined> {
    const own = dueIn(configuration);
    if (own.length === 0) {
      return undefined;
    }
    const end = performance.now() + longestArchiving;
    const due = await archiveDue(
      { ...configuration, members: own },
      {
        ...{ signal, notify, tryLast: this.#unarchived, looks: snapshotLooks, longest: longestArchiving },
        isOver: () => performance.now() >= end,
      },
    ).catch(() => undefined);
    this.#unarchived = new Set(due?.failed.map(({ member }) => member));
    return due;
  }
}

/** Runs once more. What the first run has done is told also if the second can't be started. */
export async function withSecond(
  first: Exclude<UpResult, { outcome: "locked" }>,
  again: () => Promise<UpResult>,
): Promise<UpResult> {
  const { cleared, due } = first;
  const second = await again().catch(
    (error: unknown): UpResult => ({ ...first, outcome: "failed", reason: messageOf(error), changes: [] }),
  );
  const did = { ...(cleared && { cleared }), ...second, ...(due && { due }) };
  return did.outcome === "locked" ? did : { ...did, changes: [...first.changes, ...did.changes] };
}

/** The run for a scope. Members who have left the stack meanwhile don't count. */
export function chosenRun(look: PlanAndState, { target: names, refresh: asked }: UpScope): NextRun {
  const differing = differingIn(look);
  if (names !== undefined && begunBeside(names, differing).length > 0) {
    return { kind: "all", refresh: true, why: "a run was interrupted in objects of others" };
  }
  const refresh = asked || differing.some((one) => one.refresh && (names?.includes(one.member ?? "") ?? true));
  if (names === undefined) {
    return { kind: "all", refresh, why: "the watch asks for it" };
  }
  const members = look.members.flatMap(({ member: { name } }) => (names.includes(name) ? [name] : []));
  return members.length === 0 ? { kind: "nothing" } : { kind: "members", members, removedMembers: [], refresh };
}
