import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { namesIn, type TargetFile, targetFileVariable, targetsOf, targetVariable } from "../config/model/target.ts";

/** Linux gives one environment variable so many bytes, with its name and the one that ends it. */
const longestVariable = 128 * 1024;

/** Whether there are too many targets for the environment, which takes more than a thousand members: an up for all is the better one then anyway. */
export const isTooLong = (names: readonly string[]): boolean =>
  `${targetVariable}=${targetsOf(names)}`.length >= longestVariable;

/** What the start of a targeted run takes. */
export interface TargetedStart {
  /** Beside the environment that it has otherwise: for the program, which can't see flags. */
  readonly env: Readonly<Record<string, string>>;
  /** For the flag `--target`: it holds whatever the environment says, and in any version of Pulumi; none: everybody. */
  readonly target: readonly string[];
}

/**
 * Runs something that starts Pulumi once, with members as its targets or without.
 * @param target whose run it is, at whom, and whether it waits for Services
 */
export async function withTarget<T>(target: TargetFile, run: (start: TargetedStart) => Promise<T>): Promise<T> {
  const names = namesIn(target);
  const targets = names === undefined ? undefined : targetsOf(names);
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-target-"));
  try {
    const file = join(folder, "target.json");
    await writeFile(file, JSON.stringify(target));
    const env = { [targetFileVariable]: file, ...(targets === undefined ? {} : { [targetVariable]: targets }) };
    return await run({ env, target: targets?.split(",") ?? [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Likewise for Pulumi's Automation API, which starts it with the environment of a workspace. */
export async function withTargetedWorkspace<T>(
  workspace: Pick<LocalWorkspace, "envVars">,
  target: TargetFile,
  run: (options: { readonly target?: string[] }) => Promise<T>,
): Promise<T> {
  const before = workspace.envVars;
  return await withTarget(target, async ({ env, target }) => {
    workspace.envVars = { ...before, ...env };
    try {
      return await run(target.length === 0 ? {} : { target: [...target] });
    } finally {
      workspace.envVars = before;
    }
  });
}
