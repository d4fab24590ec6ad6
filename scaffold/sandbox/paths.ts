import { delimiter, join, resolve, sep } from "node:path";

export const repository: string = resolve(import.meta.dirname, "../..");

/** Folder of everything that the sandbox makes; git ignores it. */
export const sandboxes: string = join(repository, ".sandbox");

export const packageBinaries: string = join(repository, "node_modules", ".bin");

/** Whether a path is in any clone's sandbox: a shell with `sandbox env` has such paths in its variables. */
export function isSandboxed(path: string): boolean {
  return path.split(sep).includes(".sandbox");
}

/** The PATH without any sandbox's folders: the user's own. */
export function ownPath(environment: NodeJS.ProcessEnv): string {
  const folders = (environment.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !isSandboxed(folder)).join(delimiter);
}
