import { everything, nameOf } from "./inventory.ts";
import type { TestStack } from "./stack.ts";

/** Names of all objects of the cluster that were made, written or deleted while something ran, in alphabetical order. */
export async function touchedBy(stack: TestStack, action: () => Promise<unknown>): Promise<string[]> {
  const revisions = async () =>
    new Map((await everything(stack.sandbox)).map((it) => [nameOf(it), it.metadata.resourceVersion]));
  const then = await revisions();
  await action();
  const now = await revisions();
  return [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name)).sort();
}
