import { unread } from "../../model/maps.ts";
import { dayOf } from "../../schema/values.ts";
import { project, providerMistakes, type Source, structured } from "../sources.ts";

/**
 * The configuration that the Pulumi engine passes to the program.
 * @param config values by key, prefix included: plain ones as they are, others as JSON
 * @param secretKeys keys of values that Pulumi decrypted, in whole or in part
 * @param file the stack's file, if there is one, for lines. The engine reports none, and may have read another file
 */
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

/**
 * Whether the engine's value is the file's. The file may have encrypted parts, and dates that Pulumi writes in another
 * form.
 */
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
