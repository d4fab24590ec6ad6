import { RunError } from "../model/runError.ts";
import type { Configuration } from "../model/settings.ts";
import { engineSource } from "./engine/engineSource.ts";
import { readStackFile } from "./files.ts";
import { mistakeLines } from "./mistakes.ts";
import { withFiles } from "./pagesFolder.ts";
import { withShards } from "./shardSource.ts";
import { parseSources, type Sources } from "./sources.ts";

/** A stack's configuration as Pulumi has it. */
export interface StackConfig {
  /** Values by key, prefix included: plain ones as they are, others as JSON. */
  readonly values: Readonly<Record<string, string>>;
  /** Keys of values that Pulumi decrypted, in whole or in part. */
  readonly secretKeys: readonly string[];
}

/**
 * Sources of a stack's configuration: Pulumi's values under `kubecamp:`, and the files of `membersFile` and
 * `starter.pagesFolder`. `Pulumi.<stack>.yaml` is read only for the lines of mistakes, except for a shard, which takes
 * its settings from its family's file.
 * @param folder the project's, with `Pulumi.yaml`
 */
export function sourcesOf({ values, secretKeys }: StackConfig, stack: string, folder: string): Sources {
  const source = engineSource(values, secretKeys, readStackFile(folder, stack));
  return withFiles(withShards(source, stack, folder), folder);
}

/**
 * A stack's configuration.
 * @param folder the project's, with `Pulumi.yaml`
 * @throws RunError naming every mistake
 */
export function configurationOf(config: StackConfig, stack: string, folder: string): Configuration {
  return configurationIn(sourcesOf(config, stack, folder), stack);
}

/**
 * The configuration in these sources.
 * @throws RunError naming every mistake
 */
export function configurationIn(sources: Sources, stack: string): Configuration {
  const parsed = parseSources(stack, sources, today());
  if ("configuration" in parsed) {
    return parsed.configuration;
  }
  const { mistakes } = parsed;
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  const files = new Set(mistakes.map(({ file }) => file ?? (sources.stack.file || `Pulumi.${stack}.yaml`)));
  throw new RunError(
    `The configuration of stack '${stack}' has ${count}; nothing has been touched.\n` +
      mistakeLines(mistakes)
        .map((line) => `  ${line}\n`)
        .join("") +
      `Mend ${[...files].join(" and ")}, then run again.`,
  );
}

/** The day of the run; in UTC, as expiry dates are. */
const today = () => new Date().toISOString().slice(0, 10);
