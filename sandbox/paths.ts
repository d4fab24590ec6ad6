import { homedir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve, sep } from "node:path";

const code = resolve(import.meta.dirname, "..");

/** Whether this is kubecamp's package, which has its code in `dist/` and as JavaScript, and no clone of the repository. */
export const isPackage: boolean = basename(code) === "dist" && !import.meta.filename.endsWith(".ts");

/** The clone, or the package's folder. */
export const repository: string = isPackage ? dirname(code) : code;

/** Folder in the home folder, where a package has its sandboxes, as all projects share them. */
const ofPackages = ".kubecamp";

/** Folder in a clone, which git ignores. */
const ofClone = ".sandbox";

/** Folder of everything that the sandbox makes. */
export const sandboxes: string = isPackage ? join(homedir(), ofPackages) : join(repository, ofClone);

export const packageBinaries: string = join(repository, "node_modules", ".bin");

/** Whether a path is in any clone's or package's sandbox: a shell with `sandbox env` has such paths in its variables. */
export function isSandboxed(path: string): boolean {
  return path.split(sep).some((part) => part === ofClone || part === ofPackages);
}

/** The PATH without any sandbox's folders: the user's own. */
export function ownPath(environment: NodeJS.ProcessEnv): string {
  const folders = (environment.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !isSandboxed(folder)).join(delimiter);
}

/** A sandbox's path as commands of the pages take it: from the clone, or from the home folder. */
export function shownPath(path: string): string {
  return isPackage ? `~/${relative(homedir(), path)}` : relative(repository, path);
}
