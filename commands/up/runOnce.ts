import { messageOf } from "../../cluster/api/message.ts";
import { namesIn } from "../../config/model/target.ts";
import { stateFile } from "../../config/sources/engine/stateFile.ts";
import { warningsOf } from "../../plan/messages/catalogue.ts";
import type { Finding } from "../../plan/messages/finding.ts";
import { atItsEnd, checkpointsNote, isWorthIt, needsCheckpoints } from "../../runs/checkpoints.ts";
import { withEnvironment } from "../../runs/environment.ts";
import { locksIn } from "../../runs/lock.ts";
import { pulumiReadIn } from "../../runs/pulumiCommand.ts";
import type { PulumiStack } from "../../runs/pulumiStack.ts";
import { lockedBy, type PulumiUpResult } from "../../runs/pulumiUp.ts";
import type { Look } from "./look.ts";
import { type Clusters, lookAt, type OpenStack } from "./looking.ts";
import { doingOf } from "./plan/differences.ts";
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
  /** Whether Pulumi writes its state once, at the end, wherever that is safe. Default: where it pays. */
  readonly skipCheckpoints?: boolean | undefined;
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
  const { choose, takesIn, progress, signal, onPlan, onRun, onTakenIn } = parts;
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
  const { env, warning, note } = await checkpointsOf(stack, { look, plan, skipCheckpoints: parts.skipCheckpoints });
  progress.warnings.push(...warningsOf(warning));
  onRun?.(plan, env === atItsEnd, note);
  const result = await withEnvironment(stack.workspace, env, () =>
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

interface Doable extends Pick<AttemptParts, "skipCheckpoints"> {
  readonly look: Look;
  readonly plan: ChosenRun;
}

interface Checkpoints {
  /** Additional environment of a run without checkpoints. */
  readonly env: Readonly<Record<string, string>>;
  /** Reason why a run writes checkpoints although it was to do without. */
  readonly warning: readonly Finding[];
  /** Note at the start of the run. */
  readonly note: readonly string[];
}

/** Skips checkpoints if that is requested or pays, and is safe. */
async function checkpointsOf(stack: PulumiStack, { look, plan, skipCheckpoints }: Doable): Promise<Checkpoints> {
  const doing = doingOf(look, plan.kind === "members" ? namesIn(plan) : undefined, plan.refresh);
  const why = needsCheckpoints(doing);
  const isFolder = stateFile(stack.workspace.workDir, stack.name) !== undefined;
  // If the run needs checkpoints anyway and no note explains its slowness, the backend does not matter.
  const matters = why === undefined || doing.isStale;
  const pays = async () => isWorthIt(doing, !isFolder) && (isFolder || !matters || (await isNoCloud(stack.workspace)));
  if (skipCheckpoints === false || (skipCheckpoints === undefined && !(await pays()))) {
    return { env: {}, warning: [], note: [] };
  }
  const warning: Finding[] =
    why !== undefined && skipCheckpoints === true ? [{ code: "checkpointsKept", facts: { why } }] : [];
  return { env: why === undefined ? atItsEnd : {}, warning, note: checkpointsNote(doing) };
}

/**
 * Whether the backend is a bucket or a folder: Pulumi Cloud keeps a journal, which costs next to nothing. A backend that
 * Pulumi can't name gets checkpoints; if it is down, the run says so itself.
 */
async function isNoCloud(workspace: PulumiStack["workspace"]): Promise<boolean> {
  try {
    const { url = "" }: { readonly url?: string } = JSON.parse(await pulumiReadIn(workspace, ["whoami", "--json"]));
    return !/^https?:/.test(url);
  } catch {
    return false;
  }
}
