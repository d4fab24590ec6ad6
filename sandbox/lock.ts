import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../commands/common/problem.ts";
import { isAlive } from "./processes.ts";

/**
 * Runs `work` while holding `file`, which contains the holder's process id. The lock of a process that is gone is broken.
 * @param onWait called once, with the id of the process that holds the lock, and the file
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal,
  onWait: (pid: number, file: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  let reported = false;
  while (!(await tryLock(file))) {
    const holder = await holderOf(file);
    if (holder === undefined) {
      continue;
    }
    if (!isAlive(holder)) {
      await breakLock(file, holder);
      continue;
    }
    if (!reported) {
      onWait(holder, file);
    }
    reported = true;
    await sleep(300, undefined, { signal }).catch(() => {
      throw new Interrupted();
    });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** A link is atomic: nobody reads a lock without a process id. */
async function tryLock(file: string): Promise<boolean> {
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      return false;
    }
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function holderOf(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}

/** Moves the lock aside first: of two processes that find a dead lock, the slower must not remove the faster's new one. */
async function breakLock(file: string, deadHolder: number): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  if ((await holderOf(aside)) !== deadHolder) {
    await link(aside, file).catch(() => undefined);
  }
  await rm(aside, { force: true });
}
