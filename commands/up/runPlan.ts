import { withAimedWorkspace } from "../../runs/aimedRun.ts";
import { pastLeftLock } from "../../runs/freed.ts";
import type { Progress } from "../../runs/progress.ts";
import { pulumiUp, type UpResult } from "../../runs/pulumiUp.ts";
import type { OpenStack } from "./looking.ts";
import type { Plan } from "./plan.ts";

/** Runs Pulumi once as a plan says; and once more, where the lock that it met was left by somebody who is gone. */
export async function runPlan(
  { stack, configuration }: OpenStack,
  plan: Exclude<Plan, { kind: "nothing" }>,
  progress: Progress,
  signal: AbortSignal,
): Promise<UpResult> {
  const { refresh } = plan;
  const once = () =>
    plan.kind === "all"
      ? pulumiUp(stack, { refresh }, signal, progress)
      : withAimedWorkspace(
          stack.workspace,
          { stack: configuration.settings.stack, members: plan.members, leavers: plan.leavers, waits: true },
          (options) => pulumiUp(stack, { ...options, refresh }, signal, progress),
        );
  return await pastLeftLock(stack, once, (note) => progress.warnings.push(note));
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

/** Why a run did not succeed, with the way out; undefined where it did. */
export function reasonOf(result: UpResult, stack: string): string | undefined {
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
