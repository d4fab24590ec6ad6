import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { type AimFile, aimVariable, targetsOf, targetVariable } from "../config/aim.ts";

/** Linux gives one environment variable so many bytes, with its name and the one that ends it. */
const longestVariable = 128 * 1024;

/** Whether an aim is too long to be told, which takes some 900 members: an up for all is the better one then anyway. */
export const isTooLong = (names: readonly string[]): boolean =>
  `${targetVariable}=${targetsOf(names)}`.length >= longestVariable;

/**
 * Runs something that starts Pulumi, aimed at members: engine and program are told the same by this alone, and nobody
 * else comes to see it.
 * @param names theirs; undefined for an up that is about everybody
 */
export async function withAim<T>(
  workspace: Pick<LocalWorkspace, "envVars">,
  stack: string,
  names: readonly string[] | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (names === undefined) {
    return await run();
  }
  const before = workspace.envVars;
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-aim-"));
  try {
    const file = join(folder, "aim.json");
    await writeFile(file, JSON.stringify({ stack, members: names } satisfies AimFile));
    workspace.envVars = { ...before, [aimVariable]: file, [targetVariable]: targetsOf(names) };
    return await run();
  } finally {
    workspace.envVars = before;
    await rm(folder, { recursive: true, force: true });
  }
}
