import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Deployment, Stack } from "@pulumi/pulumi/automation/index.js";
import { inWords } from "./pulumiWords.ts";

/**
 * What `pulumi stack export` gives: secrets stay encrypted.
 * @throws RunError with Pulumi's own words
 */
export async function exported(stack: Stack): Promise<Deployment> {
  return await exportedAs(stack);
}

/** The same with its secrets in plain text, which another stack can encrypt. It stays in memory. */
export async function exportedInPlainText(stack: Stack): Promise<Deployment> {
  return await exportedAs(stack, "--show-secrets");
}

async function exportedAs(stack: Stack, ...flags: readonly string[]): Promise<Deployment> {
  return await inWords(`The state of stack '${stack.name}' can't be read`, async () =>
    JSON.parse(await pulumi(stack, ["stack", "export", ...flags])),
  );
}

/**
 * Replaces a state, as `pulumi stack import` does, which checks it, and encrypts what is secret in it. It goes to Pulumi's
 * stdin: a file of it could be read by others, or stay behind.
 * @throws RunError with Pulumi's own words
 */
export async function replaceState(stack: Stack, state: Deployment): Promise<void> {
  const what = `The state of stack '${stack.name}' can't be written`;
  await inWords(what, () => pulumi(stack, ["stack", "import"], JSON.stringify(state)));
}

/** As much as one text can be, the state of some 4,000 members; with more allowed than that, more would end the process. */
const mostOutput = constants.MAX_STRING_LENGTH;

/** Pulumi's API would keep both ways of a state in files, with its secrets in plain text. */
async function pulumi({ name, workspace }: Stack, args: readonly string[], input = ""): Promise<string> {
  const env = { ...process.env, ...workspace.envVars };
  const options = { cwd: workspace.workDir, env, maxBuffer: mostOutput };
  const running = promisify(execFile)(
    "pulumi",
    [...args, "--stack", name, "--non-interactive", "--color", "never"],
    options,
  );
  // One that ends before it has read all says why by itself.
  running.child.stdin?.on("error", () => undefined).end(input);
  return (await running).stdout;
}
