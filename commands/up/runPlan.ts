import type { Progress } from "../../runs/progress.ts";
import { type PulumiUpResult, pulumiUp } from "../../runs/pulumiUp.ts";
import { withTargetedWorkspace } from "../../runs/targetedRun.ts";
import type { OpenStack } from "./looking.ts";
import type { NextRun } from "./nextRun.ts";

/** Runs Pulumi as a plan says. */
export async function runPlan(
  { stack, configuration }: OpenStack,
  plan: Exclude<NextRun, { kind: "nothing" }>,
  progress: Progress,
  signal: AbortSignal,
): Promise<PulumiUpResult> {
  const { refresh } = plan;
  if (plan.kind === "all") {
    return await pulumiUp(stack, { refresh }, signal, progress);
  }
  const { members, removedMembers } = plan;
  return await withTargetedWorkspace(
    stack.workspace,
    { stack: configuration.settings.stack, members, removedMembers, waits: true },
    (options) => pulumiUp(stack, { ...options, refresh }, signal, progress),
  );
}

/** Has Pulumi run with more in its environment. */
export async function withEnvironment<T>(
  workspace: Pick<OpenStack["stack"]["workspace"], "envVars">,
  env: Readonly<Record<string, string>>,
  act: () => Promise<T>,
): Promise<T> {
  const before = workspace.envVars;
  workspace.envVars = { ...before, ...env };
  try {
    return await act();
  } finally {
    workspace.envVars = before;
  }
}
