import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";
import { type ApiClient, apiClient } from "./cluster/apiClient.ts";
import { type ApiObjects, apiObjects } from "./cluster/apiObjects.ts";
import { type TestCluster, testCluster } from "./cluster.ts";

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestSandbox extends TestCluster, ApiClient, ApiObjects {
  /** Runs the real `pulumi`, by default in the repository. Never throws: look at the exit code. */
  readonly pulumi: (
    args: readonly string[],
    options?: { cwd?: string; env?: Record<string, string> },
  ) => Promise<CommandResult>;
  readonly kubectl: (args: readonly string[], options?: { input?: string }) => Promise<CommandResult>;
}

/** The test cluster with the commands that drive it. */
export async function testSandbox(): Promise<TestSandbox> {
  const cluster = await testCluster();
  const client = apiClient(cluster.kubeconfig);
  return {
    ...cluster,
    pulumi: (args, { cwd = repository, env = {} } = {}) =>
      run("pulumi", [...args, "--non-interactive", "--color", "never"], { cwd, env: { ...cluster.env, ...env } }),
    kubectl: (args, { input } = {}) =>
      run("kubectl", args, { cwd: repository, env: cluster.env, ...(input === undefined ? {} : { input }) }),
    ...client,
    ...apiObjects(client),
  };
}

async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; input?: string },
): Promise<CommandResult> {
  const result = await execa(command, [...args], { ...options, reject: false });
  return { exitCode: result.exitCode ?? -1, stdout: String(result.stdout), stderr: String(result.stderr) };
}
