import { atRest, revisions } from "./inventory.ts";
import type { TestStack } from "./stack.ts";

/** Names of all objects of the cluster that were made, written or deleted while something ran, in alphabetical order. */
export async function touchedBy({ sandbox }: TestStack, action: () => Promise<unknown>): Promise<string[]> {
  const then = await atRest(sandbox);
  await action();
  const now = await revisions(sandbox);
  return [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name)).sort();
}
