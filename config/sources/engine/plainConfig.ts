import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMap } from "../../model/maps.ts";
import { readText, stackFile } from "../files.ts";
import type { StackConfig } from "../load.ts";
import { project } from "../sources.ts";
import { AmbiguousYaml, plainYaml } from "../yaml/plainYaml.ts";

/**
 * The same values as `pulumi config`, from the files alone, if they contain all in plain text. Running `pulumi config`
 * takes half a second.
 * @param folder the project's, with `Pulumi.yaml`
 * @returns undefined if Pulumi must be asked: a value is encrypted, comes from elsewhere, or may mean something else to
 * Pulumi
 */
export function plainConfig(folder: string, stack: string, env: NodeJS.ProcessEnv): StackConfig | undefined {
  try {
    return { values: valuesIn(folder, stack, env), secretKeys: [] };
  } catch (error) {
    if (error instanceof AmbiguousYaml || (error instanceof Error && "code" in error)) {
      return undefined;
    }
    throw error;
  }
}

function valuesIn(folder: string, stack: string, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const { PULUMI_OPTION_CONFIG_FILE: given, ...others } = env;
  const file = given === undefined ? join(folder, stackFile(folder, stack)) : resolve(folder, given);
  // The environment may contain more flags of Pulumi's, and Pulumi prefers Pulumi.json to Pulumi.yaml.
  const isElsewhere = Object.keys(others).some((name) => /^PULUMI_OPTION_(CONFIG|CWD)/.test(name));
  // Pulumi takes the file's form from its name.
  assertPlain(!isElsewhere && /\.ya?ml$/.test(file) && !existsSync(join(folder, "Pulumi.json")));
  const { name, config: ofProject = {} } = plainYaml(readText(join(folder, "Pulumi.yaml")), ["name", "config"]);
  const ofStack = plainYaml(readText(file), ["config", "environment"], dayText);
  assertPlain(name === project && !Object.hasOwn(ofStack, "environment"));
  return { ...textsOf(ofProject, inherited), ...textsOf(ofStack.config ?? {}, (value) => value) };
}

/** Pulumi reads a date as a time, and writes it like this. */
const dayText = (day: string) => `${day} 00:00:00 +0000 UTC`;

/** Values by key, as text, as Pulumi passes them on. */
function textsOf(config: unknown, meaning: (declared: unknown) => unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  assertPlain(isMap(config));
  for (const [key, declared] of Object.entries(config)) {
    // Pulumi takes a key without a prefix for one of the project's.
    const name = key.startsWith(`${project}:`) ? key : `${project}:${key}`;
    const value = meaning(declared);
    assertPlain(/^\w+:[\w-]+$/.test(name) && !Object.hasOwn(texts, name) && isWithoutSecrets(value));
    texts[name] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return texts;
}

/** The project's value, for stacks without one. Further keys, such as a type, are left to Pulumi, which checks them. */
function inherited(declared: unknown): unknown {
  const { description: _, ...entries } = isMap(declared) ? declared : { default: declared };
  const [[key = "", value] = [], ...more] = Object.entries(entries);
  assertPlain(
    /^(default|value)$/.test(key) && more.length === 0 && (typeof value !== "number" || Number.isInteger(value)),
  );
  return value;
}

/** Pulumi takes a map with this key alone for an encrypted value, at any depth. */
const isWithoutSecrets = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (!Object.hasOwn(value, "secure") && Object.values(value).every(isWithoutSecrets));

function assertPlain(isPlain: boolean): asserts isPlain {
  if (!isPlain) {
    throw new AmbiguousYaml();
  }
}
