import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Stack, folder and additional environment for the `pulumi` on the PATH. */
export interface PulumiPlace {
  readonly name: string;
  readonly workspace: {
    readonly workDir: string;
    envVars: Record<string, string>;
    /** Ends commands that only read. Default: none. */
    readonly stop?: AbortSignal | undefined;
  };
}

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

/** Node's longest string, the state of some 4,000 members. With a higher limit, longer output would end the process. */
const mostOutput = constants.MAX_STRING_LENGTH;

/** Minutes after which a command that only reads counts as hanging. */
const mostReading = 2;

/** To its end. The Automation API takes half a second to load, and writes a state's secrets into plain files. */
export async function pulumi({ name, workspace }: PulumiPlace, args: readonly string[]): Promise<string> {
  return await run(workspace, [...args, "--stack", name]);
}

export async function pulumiIn(workspace: PulumiPlace["workspace"], args: readonly string[]): Promise<string> {
  return await run(workspace, args);
}

/** Returns its stdout. @throws Error after `most` minutes: Pulumi has no limit for a silent backend; or at `stop` */
export async function pulumiRead(
  { name, workspace }: PulumiPlace,
  command: readonly string[],
  most = mostReading,
): Promise<string> {
  const args = [...command, "--stack", name];
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), most * 60_000);
  const { stop } = workspace;
  try {
    return await run(workspace, args, stop === undefined ? late.signal : AbortSignal.any([stop, late.signal]));
  } catch (error) {
    throw late.signal.aborted ? new Error(lateText(args, most)) : error;
  } finally {
    clearTimeout(timer);
  }
}

const lateText = (args: readonly string[], minutes: number) =>
  `'pulumi ${args.join(" ")}' was ended after ${minutes} minutes.
The backend may not answer: 'pulumi whoami --verbose' then does not end either. Repair it, or the way to it.`;

async function run(
  workspace: PulumiPlace["workspace"],
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const running = promisify(execFile)("pulumi", [...args, "--non-interactive", "--color", "never"], {
    ...{ cwd: workspace.workDir, env: { ...process.env, ...workspace.envVars }, maxBuffer: mostOutput },
    ...(signal === undefined ? {} : { signal, killSignal: "SIGKILL" }),
  });
  running.child.stdin?.end();
  return (await running).stdout;
}
