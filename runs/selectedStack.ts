import { messageOf } from "../cluster/api/errors.ts";
import { fileRefusal, type StackConfig } from "../config/sources/load.ts";
import { offlineVariable } from "../config/sources/offline.ts";
import { RunError } from "../config/values/runError.ts";
import { narrowing } from "../plan/decisions/target.ts";
import { pulumiRead } from "./pulumiCommand.ts";
import { withoutLog } from "./pulumiHome.ts";
import { PulumiStack } from "./pulumiStack.ts";
import { errorText, inWords, partsOf } from "./pulumiWords.ts";

export interface StackOptions {
  readonly folder: string;
  readonly stack: string;
  /** Ends Pulumi's commands that only read. Default: none. */
  readonly stop?: AbortSignal;
  /** Whether only previews are made, which can do without a cluster. Default: no. */
  readonly isPreview?: boolean;
}

/** The configuration can't be read now, which is no mistake in the files. */
export class UnreadConfiguration extends RunError {}
/** The cluster does not say who is in their grace. */
export class UnreadLeavers extends UnreadConfiguration {}

/** The last part of a stack's name, which may be `organization/project/stack` for Pulumi Cloud. */
export const shortName = (stack: string) => stack.split("/").at(-1) ?? stack;

/** With its configuration, decrypted: to read it again takes half a second. @throws RunError when it can't be opened */
export async function selectedStack(options: StackOptions) {
  const { folder, stack: name, stop } = options;
  const narrowed = narrowing(process.env);
  if (narrowed.length > 0) {
    throw new RunError(
      `${narrowed.join(" and ")} in the environment would narrow every run of stack '${name}'; unset it and start again`,
    );
  }
  if (process.env[offlineVariable] && options.isPreview !== true) {
    throw new RunError(
      `${offlineVariable} in the environment is for previews only, and this command needs the cluster of stack '${name}'.`,
      { remedy: `Run 'unset ${offlineVariable}', then start again.` },
    );
  }
  const envVars = { ...environmentOf(process.env), ...withoutLog(folder, name) };
  const stack = new PulumiStack(name, { workDir: folder, envVars, stop });
  const config = await inWords(`Stack '${name}' in ${folder} can't be opened`, () => allConfig(stack));
  return { stack, config };
}

export function environmentOf({ PULUMI_PARALLEL_DIFF: parallelDiff = "true" }: NodeJS.ProcessEnv) {
  // Otherwise Pulumi asks the plugin for one diff after the other, and waits for each.
  return { PULUMI_PARALLEL_DIFF: parallelDiff };
}

/**
 * A stack's current configuration, decrypted.
 * @throws RunError if its file is no YAML
 * @throws UnreadConfiguration with Pulumi's own words, such as those about a backend that doesn't answer
 */
export async function stackConfig(stack: PulumiStack): Promise<StackConfig> {
  return await allConfig(stack).catch((cause: unknown) => {
    if (RunError.isInstance(cause)) {
      throw cause;
    }
    const why = errorText(messageOf(cause));
    throw new UnreadConfiguration(`The configuration of stack '${stack.name}' can't be read`, partsOf(why));
  });
}

/** Also proves that the stack exists: the command needs it. */
async function allConfig(stack: PulumiStack): Promise<StackConfig> {
  const { workDir, envVars } = stack.workspace;
  const printed = await pulumiRead(stack, ["config", "--show-secrets", "--json"]).catch((cause) => {
    throw fileRefusal(shortName(stack.name), workDir, { ...process.env, ...envVars }) ?? cause;
  });
  const all: Readonly<Record<string, { readonly value: string; readonly secret?: boolean }>> = JSON.parse(printed);
  const entries = Object.entries(all);
  return {
    values: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    secretKeys: entries.flatMap(([key, { secret }]) => (secret ? [key] : [])),
  };
}
