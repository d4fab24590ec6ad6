import type { KeptHome } from "../member/leavers.ts";
import { hasGrace } from "../offboarding.ts";
import type { Configuration, Settings } from "../settings.ts";
import { dayOf, utcDay } from "../values/days.ts";
import { unread } from "../values/maps.ts";
import { type Mistake, mistakeLines } from "../values/mistakes.ts";
import { RunError } from "../values/runError.ts";
import { readStackFile } from "./files.ts";
import { withFiles } from "./namedFiles.ts";
import { withShards } from "./shardSource.ts";
import { parseSources, project, providerMistakes, type Source, type Sources, structured } from "./sources.ts";

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

export type ReadHomes = (settings: Settings) => Promise<readonly KeptHome[]>;

/** A stack's configuration, with those in their grace, for whom alone the cluster is read. @throws RunError */
export function configurationOf(
  config: StackConfig,
  stack: string,
  folder: string,
  readHomes: ReadHomes,
): Promise<Configuration> {
  return withLeavers(sourcesOf(config, stack, folder), stack, readHomes);
}

export async function withLeavers(sources: Sources, stack: string, readHomes: ReadHomes): Promise<Configuration> {
  const listed = configurationIn(sources, stack);
  return hasGrace(listed.settings) ? configurationIn(sources, stack, await readHomes(listed.settings)) : listed;
}

/** The configuration in these sources. @param homes default: nobody is in their grace @throws RunError */
export function configurationIn(sources: Sources, stack: string, homes?: readonly KeptHome[]): Configuration {
  const parsed = parseSources(stack, sources, utcDay(), homes);
  if ("configuration" in parsed) {
    return parsed.configuration;
  }
  throw refusal(stack, parsed.mistakes, sources.stack.file);
}

/** Words for a stack's file that is no YAML. Pulumi takes some forms that are mistakes here, so ask it first. */
export function fileRefusal(stack: string, folder: string, env: NodeJS.ProcessEnv): RunError | undefined {
  const file = env.PULUMI_OPTION_CONFIG_FILE === undefined ? readStackFile(folder, stack) : undefined;
  const mistakes = file?.mistakes.filter(({ path }) => path === "") ?? [];
  return mistakes.length === 0 ? undefined : refusal(stack, mistakes);
}

function refusal(stack: string, mistakes: readonly Mistake[], stackFile = ""): RunError {
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  const files = new Set(mistakes.map(({ file }) => file ?? (stackFile || `Pulumi.${stack}.yaml`)));
  return new RunError(`The configuration of stack '${stack}' has ${count}; nothing was changed.`, {
    why: mistakeLines(mistakes).join("\n"),
    remedy: `Correct ${[...files].join(" and ")}, then run again.`,
  });
}

/** The configuration that the engine passes. @param file for lines: the engine has none, and may have read another */
export function engineSource(
  config: Readonly<Record<string, string>>,
  secretKeys: readonly string[],
  file: Source | undefined,
): Source {
  const prefix = `${project}:`;
  const entries = Object.entries(config).filter(([key]) => key.startsWith(prefix));
  const raw = Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), structured(value)]));
  const known = new Map(Object.entries(raw).map(([key, value]) => [key, isSame(value, file?.raw[key])]));
  const agrees = file !== undefined && ![...known.values()].includes(false);
  // A key that the engine lacks is missing from the file too, if all other values agree.
  const isKnown = (key: PropertyKey | undefined) =>
    known.get(String(key)) ?? (agrees && file.raw[String(key)] === undefined);
  return {
    file: file?.file ?? "",
    raw,
    mistakes: providerMistakes(Object.keys(config)).map(
      (mistake) => file?.mistakes.find(({ path }) => path === mistake.path) ?? mistake,
    ),
    misplaced: agrees ? (file.misplaced ?? []) : [],
    lineOf: (path) => (isKnown(path[0]) ? file?.lineOf(path) : undefined),
    figuresAt: (path) => (isKnown(path[0]) ? file?.figuresAt?.(path) : undefined),
    isSecret: (path) =>
      secretKeys.includes(prefix + String(path[0])) && (!isKnown(path[0]) || file?.isSecret(path) !== false),
  };
}

/** Whether the engine's value is the file's, which may have encrypted parts, and dates in another form. */
function isSame(ofEngine: unknown, inFile: unknown): boolean {
  if (inFile === unread || ofEngine === inFile) {
    return true;
  }
  if (typeof ofEngine === "string" && (typeof inFile === "string" || typeof inFile === "number")) {
    return (dayOf(ofEngine) ?? ofEngine) === String(inFile);
  }
  if (typeof ofEngine !== "object" || ofEngine === null || typeof inFile !== "object" || inFile === null) {
    return false;
  }
  const keys = Object.keys(ofEngine);
  return (
    Array.isArray(ofEngine) === Array.isArray(inFile) &&
    keys.length === Object.keys(inFile).length &&
    keys.every((key) => Object.hasOwn(inFile, key) && isSame(Reflect.get(ofEngine, key), Reflect.get(inFile, key)))
  );
}
