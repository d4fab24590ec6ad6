import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

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

/**
 * Packs the repository by `npm pack` under several versions, in a copy, so that no `dist/` is left in the repository.
 * @returns the tarballs by version
 */
export async function packed(folder: string, ...versions: string[]): Promise<Readonly<Record<string, string>>> {
  const copy = join(folder, "repository");
  for (const part of [...parts, ...files, "schema", "watch", "scaffold"]) {
    await cp(join(repository, part), join(copy, part), { recursive: true });
  }
  await symlink(join(repository, "node_modules"), join(copy, "node_modules"));
  const tarballs: Record<string, string> = {};
  for (const [index, version] of versions.entries()) {
    // One build serves all of them: they differ by their number alone.
    const manifests = ["package.json", ...(index === 0 ? [] : ["dist/package.json"])];
    for (const file of manifests) {
      const manifest = JSON.parse(await readFile(join(copy, file), "utf8")) as object;
      await writeFile(join(copy, file), JSON.stringify({ ...manifest, version }));
    }
    const { stdout } = await execa("npm", ["pack", "--json", ...(index === 0 ? [] : ["--ignore-scripts"])], {
      cwd: copy,
    });
    tarballs[version] = join(copy, filenameIn(stdout));
  }
  return tarballs;
}

/** In the output of `npm pack --json`; versions of npm differ in what is around the list. */
const filenameIn = (output: string) => /"filename": "([^"]+)"/.exec(output)?.[1] ?? "";

/** Puts a tarball into a project's node_modules as npm does, with the repository's packages as its dependencies. */
export async function install(tarball: string, project: string): Promise<void> {
  const modules = join(project, "node_modules");
  const own = join(modules, "kubecamp");
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  await execa("tar", ["-xzf", tarball, "--strip-components=1", "-C", own]);
  await mkdir(join(modules, ".bin"), { recursive: true });
  const { bin } = JSON.parse(await readFile(join(own, "package.json"), "utf8")) as { bin: Record<string, string> };
  for (const [name, file] of Object.entries(bin)) {
    await execa("chmod", ["+x", join(own, file)]);
    await link(join("../kubecamp", file), join(modules, ".bin", name));
  }
  const packages = (await readdir(join(repository, "node_modules"))).filter((name) => !name.startsWith("."));
  for (const name of packages) await link(join(repository, "node_modules", name), join(modules, name));
}

async function link(target: string, path: string): Promise<void> {
  await rm(path, { force: true });
  await symlink(target, path);
}
