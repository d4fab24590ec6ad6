import { resolve } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { RunError } from "../config/model/runError.ts";
import { narrowing } from "../config/model/target.ts";
import type { StackConfig } from "../config/sources/load.ts";
import { offlineVariable } from "../config/sources/offline.ts";
import { plainConfig } from "../config/sources/plainConfig.ts";
import { stateFile } from "../config/sources/stateFile.ts";
import { upVariable } from "../config/sources/upCommand.ts";
import { pulumi } from "./pulumiCommand.ts";
import { PulumiStack } from "./pulumiStack.ts";
import { inWords } from "./pulumiWords.ts";

/** A project's stack. */
export interface StackOptions {
  /** The project's, with `Pulumi.yaml`. */
  readonly folder: string;
  readonly stack: string;
  /** Instead of `Pulumi.<stack>.yaml`. */
  readonly configFile?: string;
}

/** A stack that Pulumi has. */
export interface SelectedStack {
  readonly stack: PulumiStack;
  /** Its configuration as it was found, decrypted as Pulumi has it: to read it again takes a command of half a second. */
  readonly config: StackConfig;
}

/** A stack's name without the rest of what Pulumi Cloud takes, `organization/project/stack`. */
export const shortName = (stack: string) => stack.split("/").at(-1) ?? stack;

/**
 * Finds a project's stack for the ordinary `pulumi` on the PATH, with the environment of this process.
 * @param program what its runs register instead of what the project's program does
 * @throws RunError saying why it can't be
 */
export async function selectedStack(options: StackOptions, program?: PulumiFn): Promise<SelectedStack> {
  const { folder, stack: name } = options;
  const narrowed = narrowing(process.env);
  if (narrowed.length > 0) {
    throw new RunError(
      `${narrowed.join(" and ")} in the environment would narrow every run of stack '${name}'; unset it and start again`,
    );
  }
  if (process.env[offlineVariable]) {
    throw new RunError(
      `${offlineVariable} in the environment is for previews alone, and this is about what stack '${name}' has on its cluster.\n` +
        `Run 'unset ${offlineVariable}', then start again.`,
    );
  }
  const stack = new PulumiStack(name, { workDir: folder, envVars: environmentOf(options, process.env) }, program);
  const config = await inWords(`Stack '${name}' in ${folder} can't be opened`, () => allConfig(stack));
  return { stack, config };
}

/** What Pulumi gets beside the environment of this process. */
export function environmentOf(
  { folder, configFile }: Pick<StackOptions, "folder" | "configFile">,
  {
    NODE_COMPILE_CACHE: cache = resolve(folder, "node_modules", ".cache", "kubecamp"),
    PULUMI_PARALLEL_DIFF: parallelDiff = "true",
  }: NodeJS.ProcessEnv,
): Record<string, string> {
  return {
    // To read and compile packages is half of the time that a small up takes; of the second one they are there.
    // https://nodejs.org/api/module.html#module-compile-cache
    NODE_COMPILE_CACHE: cache,
    // Pulumi asks the plugin for one difference after the other otherwise, and waits for each.
    PULUMI_PARALLEL_DIFF: parallelDiff,
    [upVariable]: "1",
    // Every flag of Pulumi's can stand in the environment; its API takes this one for an up alone.
    ...(configFile === undefined ? {} : { PULUMI_OPTION_CONFIG_FILE: resolve(folder, configFile) }),
  };
}

/**
 * A stack's configuration as it is now, decrypted as Pulumi has it.
 * @throws RunError when Pulumi can't read it
 */
export async function stackConfig(stack: PulumiStack): Promise<StackConfig> {
  return await inWords(`The configuration of stack '${stack.name}' can't be read`, () => allConfig(stack));
}

/** Asking for it makes sure, too, that the stack is there; so does a file of this machine that has its state. */
async function allConfig(stack: PulumiStack): Promise<StackConfig> {
  const { workDir, envVars } = stack.workspace;
  const env = { ...process.env, ...envVars };
  const plain = stateFile(workDir, stack.name, env) && plainConfig(workDir, shortName(stack.name), env);
  if (plain) {
    return plain;
  }
  const all: Readonly<Record<string, { readonly value: string; readonly secret?: boolean }>> = JSON.parse(
    await pulumi(stack, ["config", "--show-secrets", "--json"]),
  );
  const entries = Object.entries(all);
  return {
    values: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    secretKeys: entries.flatMap(([key, { secret }]) => (secret ? [key] : [])),
  };
}
