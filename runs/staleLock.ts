import type { Finding } from "../plan/words/finding.ts";
import { holderText, isLeft, type Processes } from "./lock.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import type { PulumiUpResult } from "./pulumiUp.ts";
import { inWords } from "./pulumiWords.ts";

/** @param processes of the watch that holds the Lease; undefined frees no lock, since its holder may live elsewhere */
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
