import { chmod, cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";

/**
 * Puts together what deploy/watch/Containerfile puts into `/kubecamp` of the image: what .dockerignore lets through, and the
 * packages without those for development. Nobody may write to it, as in the Pod, whose root folder is read-only.
 * @param root stands for the image's root folder
 * @returns the folder that stands for `/kubecamp`
 */
export async function imageFolder(root: string): Promise<string> {
  const folder = join(root, "kubecamp");
  await mkdir(folder, { recursive: true });
  const passing = (await readFile(join(repository, ".dockerignore"), "utf8")).match(/^!.+$/gm) ?? [];
  for (const path of passing.map((line) => line.slice(1))) {
    await cp(join(repository, path), join(folder, path), { recursive: true });
  }
  await readOnly(folder);
  await chmod(folder, 0o755);
  await copyPackages(folder);
  await chmod(folder, 0o555);
  await chmod(root, 0o755);
  return folder;
}

/** Puts the packages without those for development into a folder's `node_modules`. */
export async function copyPackages(folder: string): Promise<void> {
  const own = await productionPackages();
  // Links are quick; a folder for temporary files may be on another disk.
  const copy = (links: string[]) => execa("cp", ["-r", ...links, "--parents", ...own, folder], { cwd: repository });
  await copy(["--link"]).catch(() => copy([]));
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly dev?: true; readonly optional?: true }>
  >;
}

/** Folders that `npm ci --omit=dev` installs; without optional packages, which are for other machines. */
export async function productionLock(): Promise<[folder: string, version: string][]> {
  const { packages } = JSON.parse(await readFile(join(repository, "package-lock.json"), "utf8")) as Lock;
  return Object.entries(packages).flatMap(([path, { version, dev, optional }]): [string, string][] =>
    path === "" || dev || optional ? [] : [[path, version]],
  );
}

/** Their folders, without those within others. */
const productionPackages = async () =>
  (await productionLock()).map(([path]) => path).filter((path) => path.lastIndexOf("node_modules/") === 0);

/** Files of packages stay as they are: they may be links. */
async function readOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
  }
}

/** Its folders are read-only, which only root may ignore. */
export async function removeImage(root: string): Promise<void> {
  await execa("find", [root, "-type", "d", "-exec", "chmod", "u+w", "{}", "+"]);
  await rm(root, { recursive: true, force: true });
}
