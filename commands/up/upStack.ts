import { type AskedUp, type NextRun, nextRun, nextRunText } from "../../plan/decide/nextRun.ts";
import type { Finding } from "../../plan/words/finding.ts";
import type { Change } from "../../runs/progress.ts";
import { failureText } from "../../runs/pulumiUp.ts";
import type { Line } from "./display.ts";
import { type Clusters, failureReason, type Open } from "./looking.ts";
import { cancelledBefore, runOnce } from "./runOnce.ts";

export interface StackResult {
  readonly stack: string;
  readonly plan: NextRun | undefined;
  readonly outcome: "unchanged" | "succeeded" | "failed" | "locked" | "cancelled";
  readonly reason: string | undefined;
  readonly changes: readonly Change[];
  /** Names of members with a changed object. */
  readonly members: readonly string[];
  readonly warnings: readonly Finding[];
  readonly notices: readonly Finding[];
  /** Warnings of Pulumi's and of a project's own program, in their words. */
  readonly remarks: readonly string[];
}

interface UpParts {
  readonly open: Open;
  readonly asked: AskedUp;
  readonly clusters: Clusters;
  readonly signal: AbortSignal;
}

/** Finds out which run a stack needs, and makes it. Never rejects: an error is this stack's result. */
export async function upStack(line: Line, parts: UpParts): Promise<StackResult> {
  line.enter("looks");
  const result = await upOrWhyNot(line, parts);
  line.enter("ended", outcomeWords[result.outcome]);
  return result;
}

export const outcomeWords: Readonly<Record<StackResult["outcome"], string>> = {
  unchanged: "unchanged",
  succeeded: "up",
  failed: "FAILED",
  locked: "LOCKED",
  cancelled: "STOPPED",
};

const nothing = { reason: undefined, changes: [], members: [], warnings: [], notices: [], remarks: [] };

async function upOrWhyNot(line: Line, { open, asked, clusters, signal }: UpParts): Promise<StackResult> {
  const { stack, progress } = line;
  let plan: NextRun | undefined;
  try {
    const result = await runOnce(await open(stack), clusters, {
      ...{ progress, signal },
      choose: (look) => nextRun(look, asked),
      clears: asked.members.length === 0,
      ...(asked.all ? { seeksBuckets: true } : {}),
      onPlan: (chosen) => {
        plan = chosen;
      },
      onRun: (chosen, note) =>
        line.enter("runs", note === undefined ? nextRunText(chosen) : `${nextRunText(chosen)}, ${note}`),
    });
    const { changes, told, remarks, members } = progress;
    const warnings = [...told.warnings, ...(result.cleared ?? [])];
    const did = { ...nothing, stack, plan, ...told, warnings, changes, remarks, members: [...members].sort() };
    switch (result.outcome) {
      case "unchanged":
        return { ...did, outcome: "unchanged" };
      case "refused":
        return { ...did, outcome: signal.aborted ? "cancelled" : "failed", reason: result.reason };
      default:
        return { ...did, outcome: result.outcome, reason: failureText(result, stack) };
    }
  } catch (error) {
    // The signal also ended Pulumi commands, so their errors mean nothing.
    return signal.aborted && plan === undefined
      ? { ...nothing, stack, plan, outcome: "cancelled", reason: cancelledBefore }
      : { ...nothing, stack, plan, outcome: "failed", reason: failureReason(error) };
  }
}
