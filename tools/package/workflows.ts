import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Change = readonly [from: string, to: string];

/** The workflows for members' lists, and what a project's copy has in another way: it has kubecamp as a package, and no sources to check. */
const projectWorkflows: Readonly<Record<string, readonly Change[]>> = {
  "preview.yml": [
    ["      - name: Lint\n        run: npm run lint\n      - name: Types\n        run: npm run typecheck\n", ""],
  ],
  "up.yml": [["node bin/kubecamp.mjs", "node node_modules/kubecamp/bin/kubecamp.mjs"]],
  "drift.yml": [],
};

/** @throws Error if the workflow no longer has what is to change */
export function projectWorkflow(text: string, changes: readonly Change[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) {
      throw new Error(`The workflow has no '${from}', which a project's copy has in another way`);
    }
    return changed.replaceAll(from, to);
  }, text);
}

/** Writes a folder that a project copies to its `.github/`. */
export async function writeProjectWorkflows(repository: string, folder: string): Promise<void> {
  const from = join(repository, ".github");
  await mkdir(join(folder, "workflows"), { recursive: true });
  for (const part of ["actions", "scripts"]) {
    await cp(join(from, part), join(folder, part), { recursive: true });
  }
  for (const [name, changes] of Object.entries(projectWorkflows)) {
    const text = await readFile(join(from, "workflows", name), "utf8");
    await writeFile(join(folder, "workflows", name), projectWorkflow(text, changes));
  }
}
