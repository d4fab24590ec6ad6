import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { type AimFile, aimVariable, targetsOf, targetVariable } from "../config/aim.ts";

/** Linux gives one environment variable so many bytes, with its name and the one that ends it. */
const longestVariable = 128 * 1024;

/** Whether an aim is too long to be told, which takes more than a thousand members: an up for all is the better one then anyway. */
export const isTooLong = (names: readonly string[]): boolean =>
  `${targetVariable}=${targetsOf(names)}`.length >= longestVariable;

/**
 * Runs something that starts Pulumi, aimed at members or at all. It is to pass the targets on as flags: these hold whatever
 * the environment says, and in any version of Pulumi. The environment is for the program, which can't see the flags, and
 * which is to wait for nobody in either case.
 * @param names theirs; undefined for an up that is about everybody
 */
export async function withAim<T>(
  workspace: Pick<LocalWorkspace, "envVars">,
  stack: string,
  names: readonly string[] | undefined,
  run: (options: { readonly target?: string[] }) => Promise<T>,
): Promise<T> {
  const before = workspace.envVars;
  const targets = names === undefined ? undefined : targetsOf(names);
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-aim-"));
  try {
    const file = join(folder, "aim.json");
    await writeFile(file, JSON.stringify({ stack, members: names } satisfies AimFile));
    workspace.envVars = {
      ...before,
      [aimVariable]: file,
      ...(targets === undefined ? {} : { [targetVariable]: targets }),
    };
    return await run(targets === undefined ? {} : { target: targets.split(",") });
  } finally {
    workspace.envVars = before;
    await rm(folder, { recursive: true, force: true });
  }
}
