import { isTooLong, withAimedWorkspace } from "../../runs/aimedRun.ts";
import { freed } from "../../runs/freed.ts";
import type { Change, Progress } from "../../runs/progress.ts";
import { pulumiUp, type UpResult } from "../../runs/pulumiUp.ts";
import { type Clusters, lookAt, type OpenStack, told } from "./looking.ts";
import { type Plan, planFor, planForAll, planOf, planText } from "./plan.ts";

/** What somebody asks of each stack. */
export interface Asked {
  /** Names of members of this stack; none: whatever differs. */
  readonly members: readonly string[];
  /** A full run, whatever differs. */
  readonly all: boolean;
  /** That Pulumi looks at the cluster first in any case. */
  readonly refresh: boolean;
}

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

/** Told of each step, for whoever waits. */
export type Stage = (stage: "looking" | "running", what: string) => void;

/**
 * Finds out what a stack needs, and runs it. Never rejected: whatever goes wrong is this one's result, and others go on.
 * @param open opens the stack
 */
export async function upStack(
  name: string,
  open: () => Promise<OpenStack>,
  asked: Asked,
  clusters: Clusters,
  progress: Progress,
  { stage, signal }: { readonly stage: Stage; readonly signal: AbortSignal },
): Promise<StackResult> {
  const none = { stack: name, plan: undefined, changes: [], members: [], warnings: [], reason: undefined };
  let plan: Plan | undefined;
  try {
    stage("looking", "");
    const opened = await open();
    const first = await planned(opened, asked, clusters);
    if (first.kind === "refused") {
      const wayOut = `Run it without --member first: kubecamp up --stack ${name}`;
      return { ...none, outcome: "failed", reason: `members can't be brought up alone: ${first.why}. ${wayOut}` };
    }
    plan = first;
    if (plan.kind === "nothing") {
      return { ...none, plan, outcome: "unchanged" };
    }
    if (signal.aborted) {
      return { ...none, plan, outcome: "cancelled", reason: cancelledBefore };
    }
    stage("running", planText(plan));
    const result = await run(opened, plan, asked, progress, signal);
    const { changes, warnings, members } = progress;
    const did = { changes, warnings, members: [...members].sort() };
    return { ...none, ...did, plan, outcome: result.outcome, reason: reasonOf(result, name) };
  } catch (error) {
    return { ...none, plan, outcome: "failed", reason: told(error) };
  }
}

const cancelledBefore = "it was interrupted before anything was touched; run it again";

async function planned(
  opened: OpenStack,
  asked: Asked,
  clusters: Clusters,
): Promise<Plan | ReturnType<typeof planFor>> {
  const look = await lookAt(opened, clusters);
  if (asked.all) {
    return planForAll(look);
  }
  return asked.members.length > 0 ? planFor(look, asked.members) : planOf(look, (names) => !isTooLong(names));
}

async function run(
  { stack, configuration }: OpenStack,
  plan: Exclude<Plan, { kind: "nothing" }>,
  asked: Asked,
  progress: Progress,
  signal: AbortSignal,
): Promise<UpResult> {
  const refresh = plan.refresh || asked.refresh;
  const once = () =>
    plan.kind === "all"
      ? pulumiUp(stack, { refresh }, signal, progress)
      : withAimedWorkspace(
          stack.workspace,
          { stack: configuration.settings.stack, members: plan.members, waits: true },
          (options) => pulumiUp(stack, { ...options, refresh }, signal, progress),
        );
  const result = await once();
  // Whoever left the lock was gone before the state was read, or else the next run finds what it left.
  const freedLock = result.outcome === "locked" ? await freed(stack, result.locks) : undefined;
  if (freedLock === undefined) {
    return result;
  }
  progress.warnings.push(freedLock);
  return await once();
}

function reasonOf(result: UpResult, stack: string): string | undefined {
  switch (result.outcome) {
    case "succeeded":
      return undefined;
    case "locked":
      return `${result.by} has its lock; wait for it, or free it if that is gone: pulumi cancel --stack ${stack}`;
    case "cancelled":
      return "it was interrupted; what it had begun is finished and noted. Run it again";
    case "failed":
      return result.reason;
  }
}
