import { resolve } from "node:path";
import {
  type ConfigMap,
  LocalWorkspace,
  PulumiCommand,
  type PulumiFn,
  Stack,
} from "@pulumi/pulumi/automation/index.js";
import { RunError } from "../config/model/runError.ts";
import { narrowing } from "../config/model/target.ts";
import type { StackConfig } from "../config/sources/load.ts";
import { offlineVariable } from "../config/sources/offline.ts";
import { upVariable } from "../config/sources/upCommand.ts";
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
  readonly stack: Stack;
  /** Its configuration as it was found, decrypted as Pulumi has it: to read it again takes a command of half a second. */
  readonly config: StackConfig;
}

/** A stack's name without the rest of what Pulumi Cloud takes, `organization/project/stack`. */
export const shortName = (stack: string) => stack.split("/").at(-1) ?? stack;

/**
 * Finds a project's stack for the ordinary `pulumi` on the PATH, with the environment of this process.
 * @param program what its runs register instead of what the project's program does
 * @throws RunError saying why it can't be
 * @see https://www.pulumi.com/docs/iac/automation-api/
 */
export async function selectedStack(options: StackOptions, program?: PulumiFn): Promise<SelectedStack> {
  const { folder, stack } = options;
  const narrowed = narrowing(process.env);
  if (narrowed.length > 0) {
    throw new RunError(
      `${narrowed.join(" and ")} in the environment would narrow every run of stack '${stack}'; unset it and start again`,
    );
  }
  if (process.env[offlineVariable]) {
    throw new RunError(
      `${offlineVariable} in the environment is for previews alone, and this is about what stack '${stack}' has on its cluster.\n` +
        `Run 'unset ${offlineVariable}', then start again.`,
    );
  }
  const envVars = environmentOf(options, process.env);
  return await inWords(`Stack '${stack}' in ${folder} can't be opened`, async () => {
    const inline = program === undefined ? {} : { program };
    const pulumiCommand = await commandOnPath(process.env.PATH);
    const workspace = await LocalWorkspace.create({ workDir: folder, envVars, pulumiCommand, ...inline });
    let found: ConfigMap | undefined;
    // Makes sure that it is there. Selecting it would also change which stack a plain `pulumi` in that folder is about.
    workspace.selectStack = async (name) => {
      found = await workspace.getAllConfig(name);
    };
    const selected = await Stack.select(stack, workspace);
    // After each up its API asks for outputs and history, by three more commands that take a second together, and takes one
    // that fails for the up's own failure. Nobody looks at them here.
    selected.outputs = async () => ({});
    selected.info = async () => undefined;
    return { stack: selected, config: configOf(found ?? (await workspace.getAllConfig(stack))) };
  });
}

const commands = new Map<string | undefined, Promise<PulumiCommand>>();

/** Whether it is new enough takes a command of its own to ask, and is asked once for all stacks. */
function commandOnPath(path: string | undefined): Promise<PulumiCommand> {
  const command = commands.get(path) ?? PulumiCommand.get();
  commands.set(path, command);
  command.catch(() => commands.delete(path));
  return command;
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
export async function stackConfig({ name, workspace }: Stack): Promise<StackConfig> {
  return configOf(
    await inWords(`The configuration of stack '${name}' can't be read`, () => workspace.getAllConfig(name)),
  );
}

function configOf(all: ConfigMap): StackConfig {
  const entries = Object.entries(all);
  return {
    values: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    secretKeys: entries.flatMap(([key, { secret }]) => (secret ? [key] : [])),
  };
}
