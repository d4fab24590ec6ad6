import { messageOf } from "../../cluster/api/message.ts";
import { namesIn } from "../../config/model/target.ts";
import { atItsEnd, isWorthIt } from "../../runs/checkpoints.ts";
import { locksIn } from "../../runs/lock.ts";
import { withEnvironment } from "../../runs/pulumiCommand.ts";
import { lockedBy, type PulumiUpResult } from "../../runs/pulumiUp.ts";
import { type Clusters, lookAt, type OpenStack } from "./looking.ts";
import { doingOf } from "./plan/differences.ts";
import type { Look } from "./plan/knownState.ts";
import type { NextRun, RefusedRun } from "./plan/nextRun.ts";
import { type ChosenRun, type RunParts, runPlan } from "./plan/runPlan.ts";
import { takenIn } from "./takenIn.ts";

/** Result of one attempt; `refused` means that nothing was run. */
export type Attempt =
  | PulumiUpResult
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "refused"; readonly reason: string };

interface AttemptParts extends RunParts {
  /** Chooses the run. */
  readonly choose: (look: Look) => NextRun | RefusedRun;
  /** Whether to take a killed run's unwanted objects into the state first; false for a run for some members. */
  readonly takesIn: boolean;
  /** Called once with the chosen run. */
  readonly onPlan?: (plan: NextRun) => void;
  /** Called as each run starts, with whether Pulumi writes its state once, and notes on that. */
  readonly onRun?: (plan: ChosenRun, isWrittenOnce: boolean, note: readonly string[]) => void;
  /** Called with members whose objects of a killed run have been taken into the state. */
  readonly onTakenIn?: (members: readonly string[]) => void;
}

/**
 * Looks at a stack, takes a killed run's unwanted objects into the state, and runs Pulumi, without checkpoints where
 * that is safe and pays. Both `kubecamp up` and the watch use it.
 * @throws RunError when the cluster or the state can't be read
 */
export async function runOnce(opened: OpenStack, clusters: Clusters, parts: AttemptParts): Promise<Attempt> {
  const { choose, takesIn, signal, onPlan, onRun, onTakenIn } = parts;
  const seen = await lookAt(opened, clusters);
  const taken = takesIn ? await takenIn(opened, seen).catch(lockedOr) : { look: seen, members: [] };
  if ("locks" in taken) {
    return taken;
  }
  const { look, members } = taken;
  if (members.length > 0) {
    onTakenIn?.(members);
  }
  const plan = choose(look);
  if (plan.kind === "refused") {
    return { outcome: "refused", reason: plan.why };
  }
  onPlan?.(plan);
  if (plan.kind === "nothing") {
    return { outcome: "unchanged" };
  }
  if (signal.aborted) {
    return { outcome: "refused", reason: cancelledBefore };
  }
  const { stack, configuration } = opened;
  const { skips, note } = checkpointsOf(look, plan);
  onRun?.(plan, skips, note);
  const result = await withEnvironment(stack.workspace, skips ? atItsEnd : {}, () =>
    runPlan(stack, configuration.settings.stack, plan, parts),
  );
  // Before a first run there is no state into which a killed run's objects could be taken; now there is.
  if (look.state.root !== undefined || look.removedMembers.length === 0 || result.outcome !== "succeeded") {
    return result;
  }
  const again = await runOnce(opened, clusters.anew(), { ...parts, onPlan: () => undefined });
  return again.outcome === "unchanged" ? result : again;
}

export const cancelledBefore = "it was interrupted before it changed anything; run it again";

/** A killed run may have left a lock, which must be freed before anything is taken into the state. */
function lockedOr(error: unknown): ReturnType<typeof lockedBy> {
  const locks = locksIn(messageOf(error));
  if (locks.length === 0) {
    throw error;
  }
  return lockedBy(locks);
}

/** Skips checkpoints where that is safe and pays. The note at the start of the run says so, or why it is slow. */
function checkpointsOf(look: Look, plan: ChosenRun): { readonly skips: boolean; readonly note: readonly string[] } {
  const doing = doingOf(look, plan.kind === "members" ? namesIn(plan) : undefined, plan.refresh);
  if (!isWorthIt(doing)) {
    return { skips: false, note: [] };
  }
  if (doing.isStale) {
    const slowly =
      "writing the state before and after each object, which takes longer, since an earlier run was interrupted";
    return { skips: false, note: [slowly] };
  }
  const skips = !doing.needsCheckpoints;
  return { skips, note: skips && doing.makes > 0 ? ["writing the state at the end alone"] : [] };
}
