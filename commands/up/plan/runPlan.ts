import type { Progress } from "../../../runs/progress.ts";
import type { PulumiStack } from "../../../runs/pulumiStack.ts";
import { type PulumiUpResult, pulumiUp } from "../../../runs/pulumiUp.ts";
import { withTargetedWorkspace } from "../../../runs/targetedRun.ts";
import type { NextRun } from "./nextRun.ts";

/** A run for some of a stack's members, or for all. */
export type ChosenRun = Exclude<NextRun, { kind: "nothing" }>;

export interface RunParts {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Whether to wait for Services where the configuration says so; the watch sees them when they come. Default: yes. */
  readonly waits?: boolean;
}

/**
 * Runs Pulumi for the chosen members.
 * @param name of the stack, as in its configuration
 */
export async function runPlan(
  stack: PulumiStack,
  name: string,
  plan: ChosenRun,
  { progress, signal, waits = true }: RunParts,
): Promise<PulumiUpResult> {
  const { refresh } = plan;
  if (plan.kind === "all" && waits) {
    return await pulumiUp(stack, { refresh }, signal, progress);
  }
  const { members, removedMembers } = plan.kind === "all" ? { members: undefined, removedMembers: undefined } : plan;
  return await withTargetedWorkspace(stack.workspace, { stack: name, members, removedMembers, waits }, (options) =>
    pulumiUp(stack, { ...options, refresh }, signal, progress),
  );
}
