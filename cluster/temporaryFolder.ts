import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** A folder for this user alone while `work` runs. @param prefix such as `kubecamp-target-` */
export async function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  folders.add(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
}

/** An exit waits for no `finally`. */
export function removeTemporaryFolders(): void {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.once("exit", removeTemporaryFolders);
