import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../cluster/api/message.ts";
import { RunError } from "../config/model/runError.ts";
import type { Finding } from "../plan/messages/finding.ts";
import { holderText, isAbandoned, type Lock, ownProcesses, type Processes } from "./lock.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import type { PulumiUpResult } from "./pulumiUp.ts";
import { inWords } from "./pulumiWords.ts";

/**
 * Runs an up, and runs it again if it met a lock whose holder is gone. The holder may have changed something, so the up
 * must read its facts each time.
 * @param notify receives the lock that was freed
 * @param processes decide whether a holder is gone
 */
export async function pastLeftLock<R extends { readonly outcome: string }>(
  stack: Pick<PulumiStack, "name" | "cancel">,
  once: () => Promise<PulumiUpResult | R>,
  notify: (freed: Finding<"lockFreed">) => void,
  processes: Processes = ownProcesses,
): Promise<PulumiUpResult | R> {
  const result = await once();
  const stale = staleLocksIn(result, processes);
  if (stale === undefined) {
    return result;
  }
  const files = stale.flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : []));
  // A lock that is taken meanwhile has another name.
  const isEach = files.length === stale.length;
  const other = isEach ? await deleted(stack.name, files) : await cancelled(stack, processes, result, once);
  if (other !== undefined) {
    return other;
  }
  notify({ code: "lockFreed", facts: { stack: stack.name, holders: stale.map(holderText) } });
  return await once();
}

/** Locks of a result, if all their holders are gone. */
function staleLocksIn(result: { readonly outcome: string }, processes: Processes): readonly Lock[] | undefined {
  const locks = "locks" in result ? (result as { locks: readonly Lock[] }).locks : [];
  return locks.length > 0 && locks.every((lock) => isAbandoned(lock, processes)) ? locks : undefined;
}

/** A missing file has been freed by another process. */
async function deleted(name: string, files: readonly string[]): Promise<undefined> {
  await inWords(`The lock on stack '${name}' can't be freed`, async () => {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  });
}

/**
 * Frees all locks with `pulumi cancel`, which can't free a single one, so also locks taken since the last look. Nobody
 * can take one while the old ones are there. So one process of this machine at a time tries again, and frees them if
 * they are still there.
 * @returns the second try's result, if it met other locks or none; the first one's, while another process frees them
 */
async function cancelled<R extends { readonly outcome: string }>(
  stack: Pick<PulumiStack, "name" | "cancel">,
  processes: Processes,
  first: PulumiUpResult | R,
  once: () => Promise<PulumiUpResult | R>,
): Promise<PulumiUpResult | R | undefined> {
  const file = freesFile(stack.name);
  const freeing = `The lock on stack '${stack.name}' can't be freed`;
  const isOwn = isOurs(file, processes).catch((cause: unknown) => {
    throw new RunError(
      `${freeing}, which a process has left that is gone: ${messageOf(cause)}. Make sure of that, then run: pulumi cancel --stack ${stack.name}`,
    );
  });
  if (!(await isOwn)) {
    return first;
  }
  try {
    const again = await once();
    if (staleLocksIn(again, processes) === undefined) {
      return again;
    }
    await inWords(freeing, () => stack.cancel());
    return undefined;
  } finally {
    await rm(file, { force: true });
  }
}

/** Of this user alone: in a shared temporary folder, nobody can delete another user's file. */
export const freesFile = (stack: string) =>
  join(tmpdir(), `kubecamp-frees-${process.getuid?.()}-${stack.replaceAll(/[^-\w.]/g, "-")}`);

/**
 * Whether this process may free locks; if so, it writes its ID into the file. A file of a process that is gone, as in a
 * container that ran out of memory, does not count.
 * @throws the system's error, as in a folder that can't be written: without such a file, another process might free the same locks
 */
async function isOurs(file: string, processes: Processes): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await writeFile(file, String(process.pid), { flag: "wx" });
      return true;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") {
        throw error;
      }
    }
    try {
      const [pid, { mtimeMs: since }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
      // A restarted container has its predecessor's files, but none of its processes.
      const isOlder = since < processes.began || Number(pid) === process.pid;
      if (!isOlder && !isAbandoned({ user: "", host: processes.host, pid: Number(pid), since }, processes)) {
        return false;
      }
      await rm(file, { force: true });
    } catch (error) {
      // The other process may just have ended.
      if (codeOf(error) !== "ENOENT") {
        throw error;
      }
    }
  }
  return false;
}

/** Enough for a file that goes between two steps. */
const attempts = 3;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
