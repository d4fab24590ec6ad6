import { messageOf } from "../../cluster/api/message.ts";
import { namesIn } from "../../config/model/target.ts";
import type { Warning } from "../../plan/messages/catalogue.ts";
import { atItsEnd, checkpointsNote, isWorthIt, needsCheckpoints } from "../../runs/checkpoints.ts";
import { locksIn } from "../../runs/lock.ts";
import type { Change } from "../../runs/progress.ts";
import { lockedBy, type PulumiUpResult, reasonOf } from "../../runs/pulumiUp.ts";
import { pastLeftLock } from "../../runs/staleLock.ts";
import { doingOf } from "./differences.ts";
import type { Look } from "./look.ts";
import { type Clusters, lookAt, type OpenStack, reported } from "./looking.ts";
import { type NextRun, nextRun, nextRunText, type UpRequest } from "./nextRun.ts";
import type { Line } from "./print/display.ts";
import { runPlan, withEnvironment } from "./runPlan.ts";
import { takenIn } from "./takenIn.ts";

/** What became of one stack. */
export interface StackResult {
  readonly stack: string;
  /** Undefined where it did not come to one. */
  readonly plan: NextRun | undefined;
  readonly outcome: "unchanged" | "succeeded" | "failed" | "locked" | "cancelled";
  /** Why it did not succeed, with the way out. */
  readonly reason: string | undefined;
  readonly changes: readonly Change[];
  /** Names of the members of whose something changed. */
  readonly members: readonly string[];
  readonly warnings: readonly Warning[];
}

/** What the up of a stack goes by, and where it is shown. */
export interface UpParts {
  readonly open: (stack: string) => Promise<OpenStack>;
  readonly asked: UpRequest;
  readonly clusters: Clusters;
  readonly signal: AbortSignal;
}

/** Finds out what a stack needs, and runs it. Never rejected: whatever goes wrong is this one's result, and others go on. */
export async function upStack(line: Line, parts: UpParts): Promise<StackResult> {
  line.enter("looks");
  const result = await upOrWhyNot(line, parts);
  line.enter("ended", outcomeWords[result.outcome]);
  return result;
}

/** What became of a stack, in a word. */
export const outcomeWords: Readonly<Record<StackResult["outcome"], string>> = {
  unchanged: "unchanged",
  succeeded: "up",
  failed: "FAILED",
  locked: "LOCKED",
  cancelled: "STOPPED",
};

async function upOrWhyNot(line: Line, { open, asked, clusters, signal }: UpParts): Promise<StackResult> {
  const name = line.stack;
  const none = { stack: name, plan: undefined, changes: [], members: [], warnings: [], reason: undefined };
  let plan: NextRun | undefined;
  // What is on the cluster may be another thing the second time.
  let known: Clusters | undefined;
  const once = async (opened: OpenStack): Promise<Attempt> => {
    known = known === undefined ? clusters : clusters.anew();
    const seen = await lookAt(opened, known);
    const taken = asked.members.length > 0 ? { look: seen, members: [] } : await takenIn(opened, seen).catch(lockedOr);
    if ("locks" in taken) {
      return taken;
    }
    const { look, members } = taken;
    if (members.length > 0) {
      line.warn(members.map((member) => ({ code: "takenIn", member, facts: {} })));
    }
    const first = nextRun(look, asked);
    if (first.kind === "refused") {
      return { outcome: "refused", reason: first.why };
    }
    plan = first;
    if (first.kind === "nothing") {
      return { outcome: "unchanged" };
    }
    if (signal.aborted) {
      return { outcome: "refused", reason: cancelledBefore };
    }
    const { env, note } = await checkpointsFor(opened, { look, plan: first, asked, line });
    line.enter("runs", [nextRunText(first), ...note].join(", "));
    const result = await withEnvironment(opened.stack.workspace, env, () =>
      runPlan(opened, first, line.progress, signal),
    );
    // Of a first run that was killed there was no state to take anything into.
    if (look.state.root !== undefined || look.removedMembers.length === 0 || result.outcome !== "succeeded") {
      return result;
    }
    const again = await once(opened);
    plan = first;
    return again.outcome === "unchanged" ? result : again;
  };
  try {
    const opened = await open(name);
    const result = await pastLeftLock<Attempt>(
      opened.stack,
      () => once(opened),
      (freed) => line.warn([freed]),
    );
    const { changes, warnings, members } = line.progress;
    const did = { ...none, changes, warnings, members: [...members].sort(), plan };
    switch (result.outcome) {
      case "unchanged":
        return { ...did, outcome: "unchanged" };
      case "refused":
        return { ...did, outcome: signal.aborted ? "cancelled" : "failed", reason: result.reason };
      default:
        return { ...did, outcome: result.outcome, reason: reasonOf(result, name) };
    }
  } catch (error) {
    // Whatever it asked Pulumi meanwhile, was ended with it.
    return signal.aborted && plan === undefined
      ? { ...none, outcome: "cancelled", reason: cancelledBefore }
      : { ...none, plan, outcome: "failed", reason: reported(error) };
  }
}

/** What has come of one attempt; `refused` before anything was run. */
type Attempt =
  | PulumiUpResult
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "refused"; readonly reason: string };

/** Whoever was killed may have left a lock, which is freed before anything can be taken in. */
function lockedOr(error: unknown): ReturnType<typeof lockedBy> {
  const locks = locksIn(messageOf(error));
  if (locks.length === 0) {
    throw error;
  }
  return lockedBy(locks);
}

interface Doable {
  readonly look: Look;
  readonly plan: Exclude<NextRun, { kind: "nothing" }>;
  readonly asked: UpRequest;
  readonly line: Line;
}

interface Checkpoints {
  /** What Pulumi gets more for a run that does without. */
  readonly env: Readonly<Record<string, string>>;
  /** What is said of it as the run begins. */
  readonly note: readonly string[];
}

/** A run does without checkpoints where that is asked for, or pays, and is safe. */
async function checkpointsFor({ stack }: OpenStack, { look, plan, asked, line }: Doable): Promise<Checkpoints> {
  const { skipCheckpoints } = asked;
  const doing = doingOf(look, plan.kind === "members" ? namesIn(plan) : undefined);
  if (skipCheckpoints === false || (skipCheckpoints === undefined && !isWorthIt(doing))) {
    return { env: {}, note: [] };
  }
  const why = needsCheckpoints(doing);
  if (why !== undefined && skipCheckpoints === true) {
    line.warn([{ code: "checkpointsKept", facts: { why } }]);
  }
  if (skipCheckpoints !== true && !(await isOwnBackend(stack))) {
    return { env: {}, note: [] };
  }
  return { env: why === undefined ? atItsEnd : {}, note: checkpointsNote(doing) };
}

/** Whether it is a folder or a bucket: Pulumi Cloud keeps a journal, which costs next to nothing. */
async function isOwnBackend({ workspace }: OpenStack["stack"]): Promise<boolean> {
  const { url = "" } = await workspace.whoAmI();
  return !/^https?:/.test(url);
}

const cancelledBefore = "it was interrupted before anything was touched; run it again";
