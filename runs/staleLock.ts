import type { Finding } from "../plan/words/finding.ts";
import { holderText, isLeft, type Processes } from "./lock.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import type { PulumiUpResult } from "./pulumiUp.ts";
import { inWords } from "./pulumiWords.ts";

/**
 * Runs an up again if it met only locks that this watch has left. The killed run may have changed something, so the up
 * must read its facts each time. @param processes of the watch that holds the Lease; undefined frees no lock
 */
export async function pastLeftLock<R extends PulumiUpResult>(
  stack: Pick<PulumiStack, "name" | "cancel">,
  once: () => Promise<R>,
  notify: (freed: Finding<"lockFreed">) => void,
  processes: Processes | undefined,
): Promise<R> {
  const result = await once();
  const locks = result.outcome === "locked" ? result.locks : [];
  if (processes === undefined || locks.length === 0 || !locks.every((lock) => isLeft(lock, processes))) {
    return result;
  }
  // Frees all locks of the stack; nobody can have taken another one while these were there.
  await inWords(`The lock on stack '${stack.name}' can't be freed`, () => stack.cancel());
  notify({ code: "lockFreed", facts: { stack: stack.name, holders: locks.map(holderText) } });
  return await once();
}
