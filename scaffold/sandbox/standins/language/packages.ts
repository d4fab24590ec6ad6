import { readdir, readFile } from "node:fs/promises";
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
  const packages = await Promise.all((await packageFolders(programFolder)).map(readPackage));
  return packages.flatMap((each) => {
    if (each?.pulumi?.resource !== true) return [];
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

async function packageFolders(programFolder: string): Promise<string[]> {
  const modules = join(programFolder, "node_modules");
  const names = await readdir(modules).catch(() => []);
  const folders = names.map(async (name) => {
    if (!name.startsWith("@")) return [join(modules, name)];
    return (await readdir(join(modules, name))).map((scoped) => join(modules, name, scoped));
  });
  return (await Promise.all(folders)).flat();
}

async function readPackage(folder: string): Promise<InstalledPackage | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as InstalledPackage);
}
