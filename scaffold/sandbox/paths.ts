import { delimiter, join, resolve, sep } from "node:path";

export const repository: string = resolve(import.meta.dirname, "../..");

/** Everything that the sandbox makes lies in here; git ignores it. */
export const sandboxes: string = join(repository, ".sandbox");

export const packageBinaries: string = join(repository, "node_modules", ".bin");

/** Whether something is a sandbox's, of this clone or another: a shell that took `sandbox env` has its folders in variables. */
export function isSandboxed(path: string): boolean {
  return path.split(sep).includes(".sandbox");
}

/** The PATH without any sandbox's folders: what the person has. */
export function ownPath(environment: NodeJS.ProcessEnv): string {
  const folders = (environment.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !isSandboxed(folder)).join(delimiter);
}
