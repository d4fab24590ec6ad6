import { cp, mkdir, mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { execa } from "execa";
import { repository } from "../../../scaffold/sandbox/paths.ts";

/** The program of the last release as git had it, in the repository itself: a shallow clone or a source archive has no history. */
const archive = join(import.meta.dirname, "released.tar.gz");

/** The last release, in a folder of its own. */
interface ReleasedProject {
  /** Such as `0.1.0`. */
  readonly version: string;
  /** With the program and its packages. */
  readonly project: string;
  /** To be removed by the caller. */
  readonly folder: string;
}

/** Unpacks the program of the last release, and gives it its packages. */
export async function releasedProject(): Promise<ReleasedProject> {
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-release-"));
  const project = join(folder, "project");
  await mkdir(project);
  await execa("tar", ["-xzf", archive, "-C", project]);
  const { version } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as { version: string };
  const [before = {}, now = {}] = await Promise.all([project, repository].map(runtimePackages));
  if (isDeepStrictEqual(before, now)) {
    await symlink(join(repository, "node_modules"), join(project, "node_modules"));
  } else {
    // Nearly all are here in the same versions: to copy these takes a third of what it takes npm to unpack them again.
    const same = Object.keys(before).filter((place) => before[place] === now[place]);
    for (const place of same.filter((each) => !isWithin(each, same))) {
      await cp(join(repository, place), join(project, place), { recursive: true, verbatimSymlinks: true });
    }
    // Unlike 'npm ci', it keeps what is there.
    const flags = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    await execa("npm", ["install", ...flags], { cwd: project });
  }
  return { version, project, folder };
}

/** Whether a package's place is in the folder of one of these. */
const isWithin = (place: string, others: readonly string[]): boolean =>
  others.some((other) => place.startsWith(`${other}/`));

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
