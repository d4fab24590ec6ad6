import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { holderText, isAbandoned, type Lock, ownProcesses } from "./lock.ts";
import { inWords } from "./pulumiWords.ts";

/**
 * Frees the locks that an up met, if whoever took them ran on this machine and is gone.
 * @returns what was freed; undefined if nothing was
 */
export async function freed(
  stack: Pick<Stack, "name" | "cancel">,
  locks: readonly Lock[],
): Promise<string | undefined> {
  const { name } = stack;
  // To cancel frees all locks at once.
  if (locks.length === 0 || !locks.every((lock) => isAbandoned(lock, ownProcesses))) {
    return undefined;
  }
  await inWords(`The lock on stack '${name}' can't be freed`, () => stack.cancel());
  return `freed the lock on stack '${name}' that was left by ${locks.map(holderText).join(" and ")}, which is gone`;
}
