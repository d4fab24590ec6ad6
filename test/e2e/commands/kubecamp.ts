import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";
import type { CommandResult } from "../support/sandbox.ts";

/** Runs the command line as npm does. Never throws: look at the exit code. */
export async function kubecamp(
  args: readonly string[],
  { cwd = repository, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<CommandResult> {
  const command = `${repository}/bin/kubecamp.mjs`;
  const result = await execa(process.execPath, [command, ...args], { cwd, env, reject: false });
  return { exitCode: result.exitCode ?? -1, stdout: result.stdout, stderr: result.stderr };
}
