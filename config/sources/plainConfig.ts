import { existsSync } from "node:fs";
import { join } from "node:path";
import { isMap } from "../model/maps.ts";
import { readText, stackFile } from "./files.ts";
import type { StackConfig } from "./load.ts";
import { AmbiguousYaml, plainYaml } from "./plainYaml.ts";
import { project } from "./sources.ts";

/**
 * What `pulumi config` would give of a stack whose files have all of it, in plain text. To ask it takes half a second.
 * @param folder the project's, with `Pulumi.yaml`
 * @returns undefined where Pulumi has to be asked: where something is encrypted, comes from elsewhere, or is anything that it
 *   may read otherwise
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
  // Flags of Pulumi's may stand in the environment; and this is the project file that it would take before the other.
  const isElsewhere = Object.keys(env).some((name) => /^PULUMI_OPTION_(CONFIG|CWD)/.test(name));
  assertPlain(!isElsewhere && !existsSync(join(folder, "Pulumi.json")));
  const { name, config: ofProject = {} } = plainYaml(readText(join(folder, "Pulumi.yaml")), ["name", "config"]);
  const ofStack = plainYaml(readText(join(folder, stackFile(folder, stack))), ["config", "environment"], dayText);
  assertPlain(name === project && !Object.hasOwn(ofStack, "environment"));
  return { ...textsOf(ofProject, inherited), ...textsOf(ofStack.config ?? {}, (value) => value) };
}

/** As Pulumi writes a date, which it has read as a point in time. */
const dayText = (day: string) => `${day} 00:00:00 +0000 UTC`;

/** By key, as text, which Pulumi hands them over as. */
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

/** The project's own, for every stack that has none. Where it says more of it, such as its type, Pulumi checks that. */
function inherited(declared: unknown): unknown {
  const { description: _, ...said } = isMap(declared) ? declared : { default: declared };
  const [[key = "", value] = [], ...more] = Object.entries(said);
  assertPlain(
    /^(default|value)$/.test(key) && more.length === 0 && (typeof value !== "number" || Number.isInteger(value)),
  );
  return value;
}

/** Pulumi takes a map with this key alone for something encrypted, wherever it stands. */
const isWithoutSecrets = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (!Object.hasOwn(value, "secure") && Object.values(value).every(isWithoutSecrets));

function assertPlain(isPlain: boolean): asserts isPlain {
  if (!isPlain) {
    throw new AmbiguousYaml();
  }
}
