import type { PulumiPlace } from "./pulumiCommand.ts";

/** Runs Pulumi with additional environment variables. */
export async function withEnvironment<T>(
  workspace: Pick<PulumiPlace["workspace"], "envVars">,
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
