import { cp, mkdtemp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";

/** A copy of the program in its own folder. */
export async function checkout(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, "checkout-"));
  const parts = ["buckets", "cluster", "components", "config", "objects", "plan", "runs"];
  for (const part of [...parts, "index.ts", "package.json", "Pulumi.yaml"]) {
    await cp(join(repository, part), join(folder, part), { recursive: true });
  }
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  return folder;
}
