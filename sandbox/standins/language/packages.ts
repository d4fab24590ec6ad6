import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly pulumi?: { readonly resource?: boolean; readonly name?: string; readonly version?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface RequiredPlugin {
  readonly name: string;
  readonly version: string;
}

/** The resource plugins that a program's packages require. Reads only the top of node_modules, where npm puts them. */
export async function requiredPlugins(programFolder: string): Promise<RequiredPlugin[]> {
  const packages = await installedPackages(join(programFolder, "node_modules"));
  return packages.flatMap((each) => {
    if (each?.pulumi?.resource !== true) {
      return [];
    }
    const name = each.pulumi.name ?? each.name.replace(/^@pulumi\//, "");
    return [{ name, version: `v${(each.pulumi.version ?? each.version).replace(/^v/, "")}` }];
  });
}

/** The packages in a program's package.json, with their installed versions. */
export async function directDependencies(programFolder: string): Promise<RequiredPlugin[]> {
  const own = await readPackage(programFolder);
  const names = Object.keys({ ...own?.dependencies, ...own?.devDependencies });
  const found = await Promise.all(names.map((name) => readPackage(join(programFolder, "node_modules", name))));
  return found.flatMap((each) => (each === undefined ? [] : [{ name: each.name, version: each.version }]));
}

/** By folder and by when npm has last changed it: where one process serves many runs, the hundreds of files are read once. */
const known = new Map<string, readonly (InstalledPackage | undefined)[]>();

async function installedPackages(modules: string): Promise<readonly (InstalledPackage | undefined)[]> {
  const readAll = async () => await Promise.all((await packageFolders(modules)).map(readPackage));
  const changed = await stat(join(modules, ".package-lock.json")).catch(() => undefined);
  if (changed === undefined) {
    return await readAll();
  }
  const key = `${await realpath(modules)} ${changed.mtimeMs}`;
  const found = known.get(key) ?? (await readAll());
  known.set(key, found);
  return found;
}

async function packageFolders(modules: string): Promise<string[]> {
  const names = await readdir(modules).catch(() => []);
  const folders = names.map(async (name) => {
    if (!name.startsWith("@")) {
      return [join(modules, name)];
    }
    return (await readdir(join(modules, name))).map((scoped) => join(modules, name, scoped));
  });
  return (await Promise.all(folders)).flat();
}

async function readPackage(folder: string): Promise<InstalledPackage | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as InstalledPackage);
}
