import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Where the ordinary `pulumi` on the PATH runs, for which stack, and with what beside the environment of this process. */
export interface PulumiPlace {
  readonly name: string;
  readonly workspace: { readonly workDir: string; envVars: Record<string, string> };
}

/** As much as one text can be, the state of some 4,000 members; with more allowed than that, more would end the process. */
const mostOutput = constants.MAX_STRING_LENGTH;

/**
 * Runs one command of Pulumi's about a stack, and gives what it printed. Pulumi's API would load for half a second first, and
 * keep both ways of a state in files, with its secrets in plain text.
 */
export async function pulumi({ name, workspace }: PulumiPlace, args: readonly string[], input = ""): Promise<string> {
  return await pulumiIn(workspace, [...args, "--stack", name], input);
}

/** The same of a command that is about no stack. */
export async function pulumiIn(
  workspace: PulumiPlace["workspace"],
  args: readonly string[],
  input = "",
): Promise<string> {
  const env = { ...process.env, ...workspace.envVars };
  const options = { cwd: workspace.workDir, env, maxBuffer: mostOutput };
  const running = promisify(execFile)("pulumi", [...args, "--non-interactive", "--color", "never"], options);
  // One that ends before it has read all says why by itself.
  running.child.stdin?.on("error", () => undefined).end(input);
  return (await running).stdout;
}
