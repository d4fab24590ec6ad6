import { messageOf } from "../../cluster/api/message.ts";
import { namesIn } from "../../config/model/target.ts";
import { stateFile } from "../../config/sources/stateFile.ts";
import { warningsOf } from "../../plan/messages/catalogue.ts";
import type { Finding } from "../../plan/messages/finding.ts";
import { atItsEnd, checkpointsNote, isWorthIt, needsCheckpoints } from "../../runs/checkpoints.ts";
import { locksIn } from "../../runs/lock.ts";
import { pulumiIn } from "../../runs/pulumiCommand.ts";
import type { PulumiStack } from "../../runs/pulumiStack.ts";
import { lockedBy, type PulumiUpResult } from "../../runs/pulumiUp.ts";
import { doingOf } from "./differences.ts";
import type { Look } from "./look.ts";
import { type Clusters, lookAt, type OpenStack } from "./looking.ts";
import type { NextRun, RefusedRun } from "./nextRun.ts";
import { type ChosenRun, type RunParts, runPlan, withEnvironment } from "./runPlan.ts";
import { takenIn } from "./takenIn.ts";

/** What has come of one attempt; `refused` before anything was run. */
export type Attempt =
  | PulumiUpResult
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "refused"; readonly reason: string };

/** What an attempt goes by. */
export interface AttemptParts extends RunParts {
  /** Which run it is to be. */
  readonly choose: (look: Look) => NextRun | RefusedRun;
  /** Whether what a killed run has left for nobody is taken into the state first: not where the run is about some alone. */
  readonly takesIn: boolean;
  /** Whether Pulumi writes its state once, at the end, wherever that is safe. Default: where it pays. */
  readonly skipCheckpoints?: boolean | undefined;
  /** Told which run it is, once. */
  readonly onPlan?: (plan: NextRun) => void;
  /** Told of each run as it begins, whether Pulumi writes its state once, and what is to be said of that. */
  readonly onRun?: (plan: ChosenRun, isWrittenOnce: boolean, note: readonly string[]) => void;
  /** Told of whom something is in the state by now that a killed run had left. */
  readonly onTakenIn?: (members: readonly string[]) => void;
}

/**
 * Looks at a stack, takes in what a killed run has left for nobody, and runs Pulumi, without checkpoints where that is safe and
 * pays: what `kubecamp up` and the watch do alike.
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
  // Of a first run that was killed there was no state to take anything into.
  if (look.state.root !== undefined || look.removedMembers.length === 0 || result.outcome !== "succeeded") {
    return result;
  }
  const again = await runOnce(opened, clusters.anew(), { ...parts, onPlan: () => undefined });
  return again.outcome === "unchanged" ? result : again;
}

export const cancelledBefore = "it was interrupted before anything was touched; run it again";

/** Whoever was killed may have left a lock, which is freed before anything can be taken in. */
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
  /** What Pulumi gets more for a run that does without. */
  readonly env: Readonly<Record<string, string>>;
  /** Why it has them although it was to do without. */
  readonly warning: readonly Finding[];
  /** What is said of it as the run begins. */
  readonly note: readonly string[];
}

/** A run does without checkpoints where that is asked for, or pays, and is safe. */
async function checkpointsOf(stack: PulumiStack, { look, plan, skipCheckpoints }: Doable): Promise<Checkpoints> {
  const doing = doingOf(look, plan.kind === "members" ? namesIn(plan) : undefined);
  const why = needsCheckpoints(doing);
  const isFolder = stateFile(stack.workspace.workDir, stack.name) !== undefined;
  // Where it neither may do without nor is said to be slower for it, nobody has to know.
  const matters = why === undefined || doing.isStale;
  const pays = async () => isWorthIt(doing, !isFolder) && (isFolder || !matters || (await isNoCloud(stack.workspace)));
  if (skipCheckpoints === false || (skipCheckpoints === undefined && !(await pays()))) {
    return { env: {}, warning: [], note: [] };
  }
  const warning: Finding[] =
    why !== undefined && skipCheckpoints === true ? [{ code: "checkpointsKept", facts: { why } }] : [];
  return { env: why === undefined ? atItsEnd : {}, warning, note: checkpointsNote(doing) };
}

/** Whether it is a bucket or a folder: Pulumi Cloud keeps a journal, which costs next to nothing. */
async function isNoCloud(workspace: PulumiStack["workspace"]): Promise<boolean> {
  const { url = "" }: { readonly url?: string } = JSON.parse(await pulumiIn(workspace, ["whoami", "--json"]));
  return !/^https?:/.test(url);
}
