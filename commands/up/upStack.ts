import { namesIn } from "../../config/aim.ts";
import type { Change } from "../../runs/progress.ts";
import { atItsEnd, needsCheckpoints } from "../../runs/quickly.ts";
import { doingOf } from "./differences.ts";
import type { Line } from "./display.ts";
import { type Clusters, lookAt, type OpenStack, told } from "./looking.ts";
import { type Asked, type Plan, planned, planText } from "./plan.ts";
import { reasonOf, runPlan, withEnvironment } from "./runPlan.ts";

/** What became of one stack. */
export interface StackResult {
  readonly stack: string;
  /** Undefined where it did not come to one. */
  readonly plan: Plan | undefined;
  readonly outcome: "unchanged" | "succeeded" | "failed" | "locked" | "cancelled";
  /** Why it did not succeed, with the way out. */
  readonly reason: string | undefined;
  readonly changes: readonly Change[];
  /** Names of the members of whose something changed. */
  readonly members: readonly string[];
  readonly warnings: readonly string[];
}

/** What the up of a stack goes by, and where it is shown. */
export interface UpParts {
  readonly open: (stack: string) => Promise<OpenStack>;
  readonly asked: Asked;
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
  let plan: Plan | undefined;
  try {
    const opened = await open(name);
    const look = await lookAt(opened, clusters);
    const first = planned(look, asked);
    if (first.kind === "refused") {
      const wayOut = `Bring up all of it first: kubecamp up --stack ${name}`;
      return { ...none, outcome: "failed", reason: `its members can't be brought up alone: ${first.why}. ${wayOut}` };
    }
    plan = first;
    if (first.kind === "nothing") {
      return { ...none, plan, outcome: "unchanged" };
    }
    if (signal.aborted) {
      return { ...none, plan, outcome: "cancelled", reason: cancelledBefore };
    }
    line.enter("runs", planText(first));
    const why = asked.skipCheckpoints
      ? needsCheckpoints(doingOf(look, first.kind === "members" ? namesIn(first) : undefined))
      : undefined;
    if (why !== undefined) {
      line.progress.warnings.push(`It was run with checkpoints, whatever --skip-checkpoints says: ${why}.`);
    }
    const env = asked.skipCheckpoints && why === undefined ? atItsEnd : {};
    const result = await withEnvironment(opened.stack.workspace, env, () =>
      runPlan(opened, first, line.progress, signal),
    );
    const { changes, warnings, members } = line.progress;
    const did = { changes, warnings, members: [...members].sort() };
    return { ...none, ...did, plan, outcome: result.outcome, reason: reasonOf(result, name) };
  } catch (error) {
    // Whatever it asked Pulumi meanwhile, was ended with it.
    return signal.aborted && plan === undefined
      ? { ...none, outcome: "cancelled", reason: cancelledBefore }
      : { ...none, plan, outcome: "failed", reason: told(error) };
  }
}

const cancelledBefore = "it was interrupted before anything was touched; run it again";
