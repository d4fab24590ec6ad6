import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RunError } from "@pulumi/pulumi";
import type { Deployment, PulumiFn, Stack } from "@pulumi/pulumi/automation/index.js";
import { freed } from "../../runs/freed.ts";
import { pulumiUp, type UpResult } from "../../runs/pulumiUp.ts";
import { inWords } from "../../runs/pulumiWords.ts";
import { type StackOptions, selectedStack } from "../../runs/selectedStack.ts";

/**
 * What `pulumi stack export` gives: secrets stay encrypted.
 * @throws RunError with Pulumi's own words
 */
export async function exported(stack: Stack): Promise<Deployment> {
  return await inWords(`The state of stack '${stack.name}' can't be read`, async () =>
    JSON.parse(await pulumi(stack, ["stack", "export"])),
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

/**
 * Has Pulumi itself make what all resources hang on, the stack and its provider, by a run that registers nothing else. It
 * is aimed at the provider: should the state have other resources by now, none of them is touched.
 * @param program registers the provider, and returns the stack's outputs
 * @throws RunError saying why it can't be done
 */
export async function makeRoot(options: StackOptions, program: PulumiFn): Promise<void> {
  const stack = await selectedStack(options, program);
  const run = () =>
    pulumiUp(stack, { target: ["**::pulumi:providers:kubernetes::cluster"] }, new AbortController().signal);
  const first = await run();
  const note = first.outcome === "locked" ? await freed(stack, first.locks) : undefined;
  if (note !== undefined) {
    console.error(`Note: ${note}`);
  }
  const result = note === undefined ? first : await run();
  if (result.outcome !== "succeeded") {
    throw new RunError(`The state of stack '${stack.name}' can't be rebuilt: ${failure(result, stack.name)}`);
  }
}

function failure(result: Exclude<UpResult, { outcome: "succeeded" }>, stack: string): string {
  switch (result.outcome) {
    case "locked":
      return `${result.by} has its lock; wait for it, or free it if that is gone ('pulumi cancel --stack ${stack}'), then run again`;
    case "cancelled":
      return "it was interrupted; run it again";
    case "failed":
      return result.reason;
  }
}

/** As much as one text can be, far more than the state of any stack; with more allowed than that, more would end the process. */
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
