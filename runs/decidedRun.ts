import { inRun } from "../components/givenRun.ts";
import type { Inspected } from "../components/inspect.ts";
import { targetsOf } from "../config/model/target.ts";
import { mainModule } from "./mainModule.ts";
import type { Progress } from "./progress.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import { type EngineRun, type PulumiUpResult, pulumiUp } from "./pulumiUp.ts";

/** A run that is decided: what it registers, and how Pulumi runs. */
export interface DecidedRun extends Pick<EngineRun, "kind" | "refresh"> {
  readonly inspected: Inspected;
}

/** Has Pulumi make a run, with the project's program in this process. */
export async function makeRun(
  stack: PulumiStack,
  { inspected, ...run }: DecidedRun,
  signal: AbortSignal,
  progress: Progress,
): Promise<PulumiUpResult> {
  const ended = new AbortController();
  const given = { inspected, told: progress.told, ended: ended.signal };
  const program = mainModule(stack.workspace.workDir);
  const target = targetsOf(inspected.asked);
  try {
    return await pulumiUp(
      stack,
      { ...run, program: () => inRun(given, program), ...(target && { target }) },
      signal,
      progress,
    );
  } finally {
    ended.abort();
  }
}
