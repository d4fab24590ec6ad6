import { mkdir, mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";

/** A release, as `lastRelease.json` names it: CI services clone without tags. */
export interface Release {
  readonly version: string;
  /** Its commit, in full. */
  readonly commit: string;
}

export async function lastRelease(): Promise<Release> {
  return JSON.parse(await readFile(join(import.meta.dirname, "lastRelease.json"), "utf8")) as Release;
}

/**
 * Puts the program of a release into a folder of its own, with its packages.
 * @returns the folder, for the caller to remove
 * @throws Error saying what to do where git does not have the commit
 */
export async function releasedProject({ version, commit }: Release, clone = repository): Promise<string> {
  const git = (...args: string[]) => execa("git", args, { cwd: clone, reject: false });
  const { failed, stderr } = await git("cat-file", "-e", `${commit}^{commit}`);
  if (failed) {
    throw new Error(
      `version ${version} is commit ${commit}, which git does not have in ${clone} (${stderr.trim()}): ` +
        "run 'git fetch --unshallow' there, or have CI clone all of the history (actions/checkout: fetch-depth: 0)",
    );
  }
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-release-"));
  const project = join(folder, "project");
  await mkdir(project);
  const archive = join(folder, "project.tar");
  await execa("git", ["archive", "--format=tar", `--output=${archive}`, commit], { cwd: clone });
  await execa("tar", ["-xf", archive, "-C", project]);
  const [before, now] = await Promise.all([project, repository].map(runtimePackages));
  if (isDeepStrictEqual(before, now)) {
    await symlink(join(repository, "node_modules"), join(project, "node_modules"));
  } else {
    await execa("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: project });
  }
  return folder;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/** Versions of all packages that the program runs with, by their places. */
async function runtimePackages(project: string): Promise<Readonly<Record<string, string | undefined>>> {
  const { packages } = JSON.parse(await readFile(join(project, "package-lock.json"), "utf8")) as Lock;
  return Object.fromEntries(
    Object.entries(packages).flatMap(([place, { version, dev }]) =>
      place === "" || dev === true ? [] : [[place, version]],
    ),
  );
}
