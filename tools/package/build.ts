import { chmod, cp, glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { writeProjectWorkflows } from "./workflows.ts";

/** Files that the program reads beside its code, which the compiler leaves out. */
const beside = ["commands/members/invite/invitation.md", "watch/manifests/fence.yaml", "watch/manifests/login.yaml"];
const plugin = "buckets/plugin/pulumi-resource-kubecamp-buckets";

/**
 * Compiles the product into `dist/`, which the package has in place of the sources: Node reads no TypeScript below
 * node_modules.
 * @param folder the repository, or a copy of it
 * @see https://nodejs.org/api/typescript.html#type-stripping-in-dependencies
 */
export async function buildPackage(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  await rm(dist, { recursive: true, force: true });
  await execa("tsc", ["-p", "tsconfig.build.json"], { cwd: folder, preferLocal: true, stdio: ["ignore", 2, 2] });
  for (const file of beside) {
    await mkdir(dirname(join(dist, file)), { recursive: true });
    await cp(join(folder, file), join(dist, file));
  }
  await edit(join(folder, plugin), join(dist, plugin), (text) => text.replace('"./main.ts"', '"./main.js"'));
  await chmod(join(dist, plugin), 0o755);
  // The compiler rewrites names of files in the code alone.
  for await (const file of glob("**/*.d.ts", { cwd: dist })) {
    await edit(join(dist, file), join(dist, file), (text) =>
      text.replaceAll(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"'),
    );
  }
  await writeProjectWorkflows(folder, join(dist, "github"));
  const { name, version, type, engines } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  await writeFile(join(dist, "package.json"), `${JSON.stringify({ name, version, type, engines }, null, 2)}\n`);
}

async function edit(from: string, to: string, change: (text: string) => string): Promise<void> {
  await writeFile(to, change(await readFile(from, "utf8")));
}
