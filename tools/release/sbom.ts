import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../sandbox/paths.ts";

/** As far as it is changed here. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: true; readonly devDependencies?: object }>>;
}

/**
 * Prints the packages that run, as CycloneDX: script of `npm run sbom`. `npm sbom --omit dev` also leaves out what packages for
 * development need too, so npm sees a project without these.
 * @see https://docs.npmjs.com/cli/v11/commands/npm-sbom
 */
const folder = await mkdtemp(join(tmpdir(), "kubecamp-sbom-"));
try {
  const { devDependencies: _, ...project } = await jsonOf("package.json");
  const lock = (await jsonOf("package-lock.json")) as unknown as Lock;
  const packages = Object.fromEntries(
    Object.entries(lock.packages).flatMap(([path, { devDependencies, ...rest }]) =>
      rest.dev ? [] : [[path, path === "" || devDependencies === undefined ? rest : { ...rest, devDependencies }]],
    ),
  );
  await writeFile(join(folder, "package.json"), JSON.stringify(project));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const { stdout } = await execa("npm", args, { cwd: folder });
  console.log(stdout);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function jsonOf(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(repository, file), "utf8"));
}
