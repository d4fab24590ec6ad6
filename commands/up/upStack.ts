import { type NextRun, nextRun, nextRunText, type UpRequest } from "../../plan/decide/nextRun.ts";
import type { Finding } from "../../plan/words/finding.ts";
import type { Change } from "../../runs/progress.ts";
import { failureText } from "../../runs/pulumiUp.ts";
import { type Clusters, type OpenStack, reported } from "./looking.ts";
import type { Line } from "./print/display.ts";
import { cancelledBefore, runOnce } from "./runOnce.ts";

/** Result of one stack. */
export interface StackResult {
  readonly stack: string;
  /** Undefined if no run was chosen. */
  readonly plan: NextRun | undefined;
  readonly outcome: "unchanged" | "succeeded" | "failed" | "locked" | "cancelled";
  /** Reason why it did not succeed, with the way out. */
  readonly reason: string | undefined;
  readonly changes: readonly Change[];
  /** Names of members with a changed object. */
  readonly members: readonly string[];
  readonly warnings: readonly Finding[];
  /** Findings for information, such as sums of budgets. */
  readonly notices: readonly Finding[];
  /** Warnings of Pulumi's and of a project's own program, in their words. */
  readonly remarks: readonly string[];
}

interface UpParts {
  readonly open: (stack: string) => Promise<OpenStack>;
  readonly asked: UpRequest;
  readonly clusters: Clusters;
  readonly signal: AbortSignal;
}

/**
 * Finds out which run a stack needs, and makes it. Never rejects: an error is this stack's result, and the others go
 * on.
 */
export async function upStack(line: Line, parts: UpParts): Promise<StackResult> {
  line.enter("looks");
  const result = await upOrWhyNot(line, parts);
  line.enter("ended", outcomeWords[result.outcome]);
  return result;
}

/** Result of a stack in one word. */
export const outcomeWords: Readonly<Record<StackResult["outcome"], string>> = {
  unchanged: "unchanged",
  succeeded: "up",
  failed: "FAILED",
  locked: "LOCKED",
  cancelled: "STOPPED",
};

const nothing = { changes: [], members: [], warnings: [], notices: [], remarks: [] };

async function upOrWhyNot(line: Line, { open, asked, clusters, signal }: UpParts): Promise<StackResult> {
  const name = line.stack;
  const none = { stack: name, plan: undefined, reason: undefined, ...nothing };
  const { progress } = line;
  let plan: NextRun | undefined;
  try {
    const result = await runOnce(await open(name), clusters, {
      choose: (look) => nextRun(look, asked),
      clears: asked.members.length === 0,
      ...(asked.all ? { seeksBuckets: true } : {}),
      progress,
      signal,
      onCleared: (findings) => progress.told.warnings.push(...findings),
      onPlan: (chosen) => {
        plan = chosen;
      },
      onRun: (chosen, _, note) =>
        line.enter("runs", [nextRunText(chosen), ...(note === undefined ? [] : [note])].join(", ")),
    });
    const { changes, told, remarks, members } = progress;
    const did = { ...none, ...told, changes, remarks, members: [...members].sort(), plan };
    switch (result.outcome) {
      case "unchanged":
        return { ...did, outcome: "unchanged" };
      case "refused":
        return { ...did, outcome: signal.aborted ? "cancelled" : "failed", reason: result.reason };
      default:
        return { ...did, outcome: result.outcome, reason: failureText(result, name) };
    }
  } catch (error) {
    // The signal also ended Pulumi commands, so their errors mean nothing.
    return signal.aborted && plan === undefined
      ? { ...none, outcome: "cancelled", reason: cancelledBefore }
      : { ...none, plan, outcome: "failed", reason: reported(error) };
  }
}
