import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { holderText, isAbandoned, type Lock, ownProcesses } from "./lock.ts";
import type { UpResult } from "./pulumiUp.ts";
import { inWords } from "./pulumiWords.ts";

/**
 * Runs an up, and once more where the lock that it met was left by somebody who is gone. They may have changed something
 * meanwhile: what an up depends on, it has to find out each time.
 * @param told what was freed
 */
export async function pastLeftLock<R extends { readonly outcome: string }>(
  stack: Pick<Stack, "name" | "cancel">,
  once: () => Promise<UpResult | R>,
  told: (note: string) => void,
): Promise<UpResult | R> {
  const result = await once();
  const note = result.outcome === "locked" && "locks" in result ? await freed(stack, result.locks) : undefined;
  if (note === undefined) {
    return result;
  }
  told(note);
  return await once();
}

/**
 * Frees the locks that an up met, if whoever took them ran on this machine and is gone.
 * @returns what was freed; undefined if nothing was
 */
async function freed(stack: Pick<Stack, "name" | "cancel">, locks: readonly Lock[]): Promise<string | undefined> {
  const { name } = stack;
  // To cancel frees all locks at once.
  if (locks.length === 0 || !locks.every((lock) => isAbandoned(lock, ownProcesses))) {
    return undefined;
  }
  await inWords(`The lock on stack '${name}' can't be freed`, () => stack.cancel());
  return `freed the lock on stack '${name}' that was left by ${locks.map(holderText).join(" and ")}, which is gone`;
}
