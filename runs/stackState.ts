import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { stateFile, stateIn } from "../config/sources/stateFile.ts";
import { type PulumiPlace, pulumi } from "./pulumiCommand.ts";
import { inWords } from "./pulumiWords.ts";

/**
 * What `pulumi stack export` gives: secrets stay encrypted.
 * @throws RunError with Pulumi's own words
 */
export async function exported(stack: PulumiPlace): Promise<Deployment> {
  return await exportedAs(stack);
}

/** The same with its secrets in plain text, which another stack can encrypt. It stays in memory. */
export async function exportedInPlainText(stack: PulumiPlace): Promise<Deployment> {
  return await exportedAs(stack, "--show-secrets");
}

async function exportedAs(stack: PulumiPlace, ...flags: readonly string[]): Promise<Deployment> {
  return await inWords(`The state of stack '${stack.name}' can't be read`, async () =>
    JSON.parse(await pulumi(stack, ["stack", "export", ...flags])),
  );
}

/**
 * The same, read from the file that it is in where that is one of this machine.
 * @throws RunError with Pulumi's own words
 */
export async function lastState(stack: PulumiPlace): Promise<Deployment> {
  const file = stateFile(stack.workspace.workDir, stack.name);
  return (file === undefined ? undefined : stateIn(file)) ?? (await exported(stack));
}

/**
 * Replaces a state, as `pulumi stack import` does, which checks it, and encrypts what is secret in it. It goes to Pulumi's
 * stdin: a file of it could be read by others, or stay behind.
 * @throws RunError with Pulumi's own words
 */
export async function replaceState(stack: PulumiPlace, state: Deployment): Promise<void> {
  const what = `The state of stack '${stack.name}' can't be written`;
  await inWords(what, () => pulumi(stack, ["stack", "import"], JSON.stringify(state)));
}
