import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Stack, folder and additional environment for the `pulumi` on the PATH. */
export interface PulumiPlace {
  readonly name: string;
  readonly workspace: { readonly workDir: string; envVars: Record<string, string> };
}

/** Node's longest string, the state of some 4,000 members. With a higher limit, longer output would end the process. */
const mostOutput = constants.MAX_STRING_LENGTH;

/**
 * Runs a Pulumi command for a stack and returns its stdout. The Automation API takes half a second to load, and passes
 * a state through files with its secrets in plain text.
 */
export async function pulumi({ name, workspace }: PulumiPlace, args: readonly string[], input = ""): Promise<string> {
  return await pulumiIn(workspace, [...args, "--stack", name], input);
}

/** Runs a Pulumi command that needs no stack. */
export async function pulumiIn(
  workspace: PulumiPlace["workspace"],
  args: readonly string[],
  input = "",
): Promise<string> {
  const env = { ...process.env, ...workspace.envVars };
  const options = { cwd: workspace.workDir, env, maxBuffer: mostOutput };
  const running = promisify(execFile)("pulumi", [...args, "--non-interactive", "--color", "never"], options);
  // A command that ends before it has read its input reports the reason itself.
  running.child.stdin?.on("error", () => undefined).end(input);
  return (await running).stdout;
}
