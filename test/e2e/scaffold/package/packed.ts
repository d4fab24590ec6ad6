import { appendFile, cp, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { copyPackages } from "../../support/imageFolder.ts";

const parts = ["bin", "buckets", "cluster", "commands", "components", "config", "deploy", "naming", "plan", "runs"];
const files = [
  "index.ts",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
];

/** A version to pack, with text that its files have at their ends, by path in the package. */
interface Version {
  readonly version: string;
  readonly more?: Readonly<Record<string, string>>;
}

/**
 * Packs the repository by `npm pack` in several versions, in a copy, so that no `dist/` is left in the repository.
 * @returns the tarballs by version
 */
export async function packed(folder: string, ...versions: Version[]): Promise<Readonly<Record<string, string>>> {
  const copy = join(folder, "repository");
  for (const part of [...parts, ...files, "schema", "watch", "scaffold"]) {
    await cp(join(repository, part), join(copy, part), { recursive: true });
  }
  await symlink(join(repository, "node_modules"), join(copy, "node_modules"));
  const tarballs: Record<string, string> = {};
  for (const [index, { version, more = {} }] of versions.entries()) {
    // One build serves all of them.
    const manifests = ["package.json", ...(index === 0 ? [] : ["dist/package.json"])];
    for (const file of manifests) {
      const manifest = JSON.parse(await readFile(join(copy, file), "utf8")) as object;
      await writeFile(join(copy, file), JSON.stringify({ ...manifest, version }));
    }
    for (const [file, text] of Object.entries(more)) await appendFile(join(copy, file), text);
    const { stdout } = await execa("npm", ["pack", "--json", ...(index === 0 ? [] : ["--ignore-scripts"])], {
      cwd: copy,
    });
    tarballs[version] = join(copy, filenameIn(stdout));
  }
  return tarballs;
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

/**
 * Installs as an admin does, and asks no registry.
 * @param tarball default: what the project's package.json names
 */
export async function install(project: string, ...tarball: string[]): Promise<void> {
  await execa("npm", ["install", ...tarball, "--offline", "--cache", join(project, "npm-cache")], { cwd: project });
}
