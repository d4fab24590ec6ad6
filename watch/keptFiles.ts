import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { withTemporaryFolder } from "../cluster/temporaryFolder.ts";

/** Contents of files by absolute path; undefined for a folder, of which these are all files that count. */
type KeptFiles = ReadonlyMap<string, Buffer | undefined>;

/** @param files absolute paths; those that are not there are left out */
export const keepFiles = (files: readonly string[]): KeptFiles =>
  new Map(
    files
      .filter((file) => existsSync(file))
      .map((file) => [file, statSync(file).isDirectory() ? undefined : readFileSync(file)]),
  );

/** Whether a file has changed between two looks, of those that both have. */
export const isChanged = (before: KeptFiles, after: KeptFiles): boolean =>
  [...before].some(([file, content]) => content !== undefined && after.get(file)?.equals(content) === false);

/**
 * Makes a copy of a project with its kept files, and links to all else, while `work` runs. Its paths lead where they do in
 * the project, also out of it, such as to a backend's folder.
 * @param project the project's folder, absolute
 */
export async function withKeptFiles<T>(
  project: string,
  kept: KeptFiles,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  return await withTemporaryFolder("kubecamp-kept-", async (root) => {
    for (const [file, content] of kept) {
      mkdirSync(join(root, content === undefined ? file : dirname(file)), { recursive: true });
      if (content !== undefined) {
        writeFileSync(join(root, file), content);
      }
    }
    mkdirSync(join(root, project), { recursive: true });
    link("/", root, kept);
    return await work(join(root, project));
  });
}

/** Links to what a folder has beside the kept files and the folders that lead to them. */
function link(folder: string, root: string, kept: KeptFiles): void {
  for (const name of readdirSync(folder)) {
    const [path, copy] = [join(folder, name), join(root, folder, name)];
    if (!existsSync(copy)) {
      symlinkSync(path, copy);
    } else if (lstatSync(copy).isDirectory() && !kept.has(path)) {
      link(path, root, kept);
    }
  }
}
