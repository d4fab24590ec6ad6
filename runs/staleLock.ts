import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding } from "../plan/messages/finding.ts";
import { holderText, isAbandoned, type Lock, ownProcesses, type Processes } from "./lock.ts";
import type { PulumiStack } from "./pulumiStack.ts";
import type { PulumiUpResult } from "./pulumiUp.ts";
import { inWords } from "./pulumiWords.ts";

/**
 * Runs an up, and once more where the lock that it met was left by somebody who is gone. They may have changed something
 * meanwhile: what an up depends on, it has to find out each time.
 * @param notify told what was freed
 * @param processes by which it is judged who is gone
 */
export async function pastLeftLock<R extends { readonly outcome: string }>(
  stack: Pick<PulumiStack, "name" | "cancel">,
  once: () => Promise<PulumiUpResult | R>,
  notify: (freed: Finding<"lockFreed">) => void,
  processes: Processes = ownProcesses,
): Promise<PulumiUpResult | R> {
  const result = await once();
  const left = leftIn(result, processes);
  if (left === undefined) {
    return result;
  }
  const files = left.flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : []));
  // What others take meanwhile has another name.
  const isEach = files.length === left.length;
  const other = isEach ? await deleted(stack.name, files) : await cancelled(stack, processes, result, once);
  if (other !== undefined) {
    return other;
  }
  notify({ code: "lockFreed", facts: { stack: stack.name, holders: left.map(holderText) } });
  return await once();
}

/** The locks that an up met, if all of their holders are gone. */
function leftIn(result: { readonly outcome: string }, processes: Processes): readonly Lock[] | undefined {
  const locks = "locks" in result ? (result as { locks: readonly Lock[] }).locks : [];
  return locks.length > 0 && locks.every((lock) => isAbandoned(lock, processes)) ? locks : undefined;
}

/** One that is gone already, somebody else has freed. */
async function deleted(name: string, files: readonly string[]): Promise<undefined> {
  await inWords(`The lock on stack '${name}' can't be freed`, async () => {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  });
}

/**
 * Frees all locks there are, as Pulumi has no way to free one: those, too, that were taken since they were last looked at.
 * Nobody can take one beside those that were left; so it is one process of this machine at a time that looks again, by
 * another try, and frees them.
 * @returns what came of the other try, if it met others or none; or of the first, while another process is at it
 */
async function cancelled<R extends { readonly outcome: string }>(
  stack: Pick<PulumiStack, "name" | "cancel">,
  processes: Processes,
  first: PulumiUpResult | R,
  once: () => Promise<PulumiUpResult | R>,
): Promise<PulumiUpResult | R | undefined> {
  const file = join(tmpdir(), `kubecamp-frees-${stack.name.replaceAll(/[^-\w.]/g, "-")}`);
  if (!(await isOurs(file, processes))) {
    return first;
  }
  try {
    const again = await once();
    if (leftIn(again, processes) === undefined) {
      return again;
    }
    await inWords(`The lock on stack '${stack.name}' can't be freed`, () => stack.cancel());
    return undefined;
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Whether this process may free locks, which the file says from now on. One that was left by a process that is gone, as of a
 * container that ran out of memory, keeps nobody.
 */
async function isOurs(file: string, processes: Processes): Promise<boolean> {
  const now = () => writeFile(file, String(process.pid), { flag: "wx" });
  const isTaken = (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    return true;
  };
  if ((await now().catch(isTaken)) !== true) {
    return true;
  }
  const [pid, { mtimeMs: since }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
  // A container that is started again has the files of the one before, and none of its processes.
  const isOlder = since < processes.began || Number(pid) === process.pid;
  const isLeft = isOlder || isAbandoned({ user: "", host: processes.host, pid: Number(pid), since }, processes);
  if (isLeft) {
    await rm(file, { force: true });
  }
  return isLeft && (await now().catch(isTaken)) !== true;
}
