import { keyOf } from "../../cluster/kinds/objectName.ts";
import { deleteOwn } from "../../cluster/write/patchEach.ts";
import { refuse } from "../../components/inspect.ts";
import type { PlanAndState } from "../../plan/decide/differing.ts";
import { type ChosenRun, membersOfRun, type NextRun, type RefusedRun, targetOfRun } from "../../plan/decide/nextRun.ts";
import { refusedRemovals } from "../../plan/decide/removals.ts";
import { runFor } from "../../plan/decide/run.ts";
import { leftIn } from "../../plan/decide/wholes.ts";
import { writingOf } from "../../plan/decide/work.ts";
import { deletedFindings, deletionRounds } from "../../plan/members/unrecorded.ts";
import { refusalTexts } from "../../plan/words/catalogue.ts";
import type { Finding } from "../../plan/words/finding.ts";
import { atItsEnd } from "../../runs/checkpoints.ts";
import { makeRun } from "../../runs/decidedRun.ts";
import type { Progress } from "../../runs/progress.ts";
import { withEnvironment } from "../../runs/pulumiCommand.ts";
import type { PulumiUpResult } from "../../runs/pulumiUp.ts";
import { type Clusters, lookAt, type OpenStack } from "./looking.ts";

/** Result of one attempt; `refused` means that nothing was run. */
type Attempt = (
  | PulumiUpResult
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "refused"; readonly reason: string }
) & {
  /** Objects that neither the list nor Pulumi's state has: deleted, or left for a reason. */
  readonly cleared?: readonly Finding[];
  /** Whether Pulumi wrote the state only once, at the end. */
  readonly isWrittenOnce?: boolean;
};

interface AttemptParts {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Whether to wait for Services where the configuration says so; the watch sees them when they come. Default: true. */
  readonly waits?: boolean;
  readonly choose: (look: PlanAndState) => NextRun | RefusedRun;
  /** Whether to delete what a killed run or a lost state has left. Default: only in a run for everyone. */
  readonly clears?: boolean;
  /** Whether to look for such buckets on an S3 server. Default: only if Pulumi's state was empty. */
  readonly seeksBuckets?: boolean;
  readonly onPlan?: (plan: NextRun) => void;
  /** Called as the run starts, with a note on how Pulumi writes its state. */
  readonly onRun?: (plan: ChosenRun, note?: string) => void;
}

/**
 * Looks at a stack, and runs Pulumi, without checkpoints where that is safe and pays. Then it deletes what is left that
 * neither the list nor Pulumi's state has. Both `kubecamp up` and the watch use it.
 * @throws RunError when the cluster or the state can't be read, or naming every reason not to start the run
 */
export async function runOnce(opened: OpenStack, clusters: Clusters, parts: AttemptParts): Promise<Attempt> {
  const { choose, signal, progress } = parts;
  const { stack } = opened;
  const look = await lookAt(opened, clusters);
  const plan = choose(look);
  if (plan.kind === "refused") {
    return { outcome: "refused", reason: plan.why };
  }
  parts.onPlan?.(plan);
  if (plan.kind === "nothing") {
    return { outcome: "unchanged" };
  }
  if (signal.aborted) {
    return { outcome: "refused", reason: cancelledBefore };
  }
  const run = runFor(look, { ...targetOfRun(look, plan), waits: parts.waits ?? true }, look.state);
  refuse(run, "kubecamp up");
  const clears = parts.clears ?? plan.kind === "all";
  const endBuckets = clears ? await soughtBuckets(look, parts) : undefined;
  const { isOnce, note } = writingOf(look, membersOfRun(plan), plan.refresh);
  parts.onRun?.(plan, note);
  const result = await withEnvironment(stack.workspace, isOnce ? atItsEnd : {}, () =>
    makeRun(stack, { kind: "up", refresh: plan.refresh, inspected: run }, signal, progress),
  );
  const written = isOnce ? { isWrittenOnce: true } : {};
  // A run that fails has refused removals, or may have.
  if (result.outcome !== "succeeded" || !clears || signal.aborted || !(endBuckets || leftIn(look).length > 0)) {
    return { ...result, ...written };
  }
  const { findings, refused } = await deleteLeft(look, await lookAt(opened, clusters.anew()), signal, endBuckets);
  const failed = refused.length === 0 ? {} : ({ outcome: "failed", reason: refused.join("\n") } as const);
  return { ...result, ...written, cleared: findings, ...failed };
}

/** Looks for buckets before the run. @returns a function that ends those it has found, for after the run */
async function soughtBuckets(look: PlanAndState, { signal, seeksBuckets = look.state.isEmpty }: AttemptParts) {
  const { storage } = look.settings;
  if (!seeksBuckets || storage?.kind !== "s3") {
    return undefined;
  }
  const { endLeft, leftOnServer } = await import("./leftBuckets.ts");
  const left = await leftOnServer(storage, look, signal);
  return () => endLeft(left, signal);
}

export const cancelledBefore = "it was interrupted before it changed anything; run it again";

/**
 * Deletes what is left on the cluster that neither the list nor Pulumi's state has, within the limits on removals.
 * @param before look before a run that succeeded: another run may have begun since, and has not recorded what it makes
 * @param look after it, so that nothing is deleted that the run has taken over
 * @param endBuckets ends what is left on an S3 server. It comes first: only the cluster shows which shard had it
 */
export async function deleteLeft(
  before: PlanAndState,
  look: PlanAndState,
  signal: AbortSignal,
  endBuckets: () => Promise<readonly Finding[]> = async () => [],
) {
  const { list, settings, snapshot } = look;
  const beyond = refusalTexts(refusedRemovals(list, settings, snapshot), "kubecamp up");
  if (beyond.length > 0) {
    return { findings: [], refused: beyond };
  }
  const ended = await endBuckets();
  const was = new Set(leftIn(before).map(({ object }) => keyOf(object)));
  const left = leftIn(look).filter(({ object }) => was.has(keyOf(object)));
  const { objects, refused } = await deleteOwn(deletionRounds(left), settings, { signal });
  return { findings: [...ended, ...deletedFindings(objects)], refused };
}
