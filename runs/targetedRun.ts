import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { withTemporaryFolder } from "../cluster/temporaryFolder.ts";
import { namesIn, type TargetFile, targetFileVariable, targetsOf, targetVariable } from "../config/model/target.ts";
import { withEnvironment } from "./pulumiCommand.ts";

/** Environment and flags of a targeted run. */
export interface TargetedStart {
  /** Additional environment, for the program, which can't see flags. */
  readonly env: Readonly<Record<string, string>>;
  /** Values of `--target`, which override the environment in any version of Pulumi. None: everybody. */
  readonly target: readonly string[];
}

/**
 * Calls `run`, which starts Pulumi once, with the target's members or for all.
 * @param target stack and members of the run, and whether it waits for Services
 */
export async function withTarget<T>(target: TargetFile, run: (start: TargetedStart) => Promise<T>): Promise<T> {
  const names = namesIn(target);
  const targets = names === undefined ? undefined : targetsOf(names);
  return await withTemporaryFolder("kubecamp-target-", async (folder) => {
    const file = join(folder, "target.json");
    await writeFile(file, JSON.stringify(target));
    const env = { [targetFileVariable]: file, ...(targets === undefined ? {} : { [targetVariable]: targets }) };
    return await run({ env, target: targets?.split(",") ?? [] });
  });
}

/** Targets a run of Pulumi's Automation API, which passes on the workspace's environment. */
export async function withTargetedWorkspace<T>(
  workspace: Pick<LocalWorkspace, "envVars">,
  target: TargetFile,
  run: (options: { readonly target?: string[] }) => Promise<T>,
): Promise<T> {
  return await withTarget(target, ({ env, target }) =>
    withEnvironment(workspace, env, () => run(target.length === 0 ? {} : { target: [...target] })),
  );
}
