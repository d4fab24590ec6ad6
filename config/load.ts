import * as pulumi from "@pulumi/pulumi";
import { engineSource } from "./engineSource.ts";
import { readStackFile, withMembersFile } from "./files.ts";
import { mistakeLines } from "./mistakes.ts";
import type { Configuration } from "./settings.ts";
import { parseSources } from "./sources.ts";

/**
 * Reads the stack's configuration: everything under `kubecamp:` that the engine hands over, and the file that
 * `membersFile` names. `Pulumi.<stack>.yaml` is opened for the lines of mistakes alone.
 * @throws pulumi.RunError naming every mistake; nothing has been touched by then
 * @see https://www.pulumi.com/docs/iac/concepts/config/
 */
export function loadConfiguration(): Configuration {
  const stack = pulumi.getStack();
  const folder = pulumi.getRootDirectory();
  const source = engineSource(pulumi.runtime.allConfig(), secretKeys(), readStackFile(folder, stack));
  const parsed = parseSources(stack, withMembersFile(source, folder), today());
  if ("configuration" in parsed) {
    return parsed.configuration;
  }
  const { mistakes } = parsed;
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  const files = new Set(mistakes.map(({ file }) => file ?? `Pulumi.${stack}.yaml`));
  throw new pulumi.RunError(
    `The configuration of stack '${stack}' has ${count}; nothing has been touched.\n` +
      mistakeLines(mistakes)
        .map((line) => `  ${line}\n`)
        .join("") +
      `Mend ${[...files].join(" and ")} and run again.`,
  );
}

/** The day of the run, in UTC as expiry dates are. */
const today = () => new Date().toISOString().slice(0, 10);

/** Keys of what the engine decrypted. The SDK knows them, but tells nobody. */
function secretKeys(): readonly string[] {
  return JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]") as string[];
}
