import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";
import { copyPackages } from "../../support/imageFolder.ts";

const parts = [
  "bin",
  "buckets",
  "cluster",
  "commands",
  "components",
  "config",
  "deploy",
  "objects",
  "plan",
  "runs",
  "verify",
];
const files = [
  "index.ts",
  "kubecamp.ts",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
];

/**
 * Packs the repository by `npm pack`, in a copy, so that no `dist/` is left in the repository.
 * @returns the tarball
 */
export async function packed(folder: string, version: string): Promise<string> {
  const copy = join(folder, "repository");
  for (const part of [...parts, ...files, "schema", "watch", "sandbox", "tools", ".github"]) {
    await cp(join(repository, part), join(copy, part), { recursive: true });
  }
  await symlink(join(repository, "node_modules"), join(copy, "node_modules"));
  const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8")) as object;
  await writeFile(join(copy, "package.json"), JSON.stringify({ ...manifest, version }));
  const { stdout } = await execa("npm", ["pack", "--json"], { cwd: copy });
  return join(copy, filenameIn(stdout));
}

/** In the output of `npm pack --json`; versions of npm differ in what is around the list. */
const filenameIn = (output: string) => /"filename": "([^"]+)"/.exec(output)?.[1] ?? "";

/**
 * Puts what a registry would be asked for into a project's `node_modules`, where npm finds it: packages on which kubecamp
 * depends, with their commands, without which npm takes a package for broken.
 */
export async function offerPackages(project: string): Promise<void> {
  await copyPackages(project);
  await cp(join(repository, "node_modules/.bin"), join(project, "node_modules/.bin"), {
    recursive: true,
    verbatimSymlinks: true,
    // The clone's own link, in whose place npm puts the package's.
    filter: (path) => basename(path) !== "kubecamp",
  });
}

/** Installs as an admin does, and asks no registry. */
export async function install(project: string, tarball: string): Promise<void> {
  await execa("npm", ["install", tarball, "--offline", "--cache", join(project, "npm-cache")], { cwd: project });
}
