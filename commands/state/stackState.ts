import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { RunError } from "../../config/model/runError.ts";
import { clusterProviderType, storageProviderType } from "../../naming/urns.ts";
import { failureText, pulumiUp } from "../../runs/pulumiUp.ts";
import { type StackOptions, selectedStack } from "../../runs/selectedStack.ts";

const providers = [`**::${clusterProviderType}::cluster`, `**::${storageProviderType}::storage`];

/**
 * Has Pulumi make the stack and its providers, by a run that registers nothing else. The providers are its targets: if
 * the state has other resources by now, none of them is touched.
 * @param program registers the providers, and returns the stack's outputs
 * @throws RunError with the reason when it can't be done
 */
export async function makeRoot(options: StackOptions, program: PulumiFn): Promise<void> {
  const { stack } = await selectedStack(options, program);
  const result = await pulumiUp(stack, { target: [...providers] }, new AbortController().signal);
  if (result.outcome !== "succeeded") {
    throw new RunError(`The state of stack '${stack.name}' can't be rebuilt: ${failureText(result, stack.name)}`);
  }
}
