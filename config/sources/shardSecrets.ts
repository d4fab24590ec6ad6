import { isMap, unread } from "../model/maps.ts";
import { encryptCommand, isSecretKeysAlone, secretPlaces } from "../model/secretKeys.ts";
import { type Mistake, valueAt } from "./mistakes.ts";
import type { Source } from "./sources.ts";

type Path = readonly PropertyKey[];

/**
 * A family's settings with the secret keys of the shard's own file: Pulumi encrypts for one stack only. A key in plain
 * text in the family's file stays, because it is a mistake to report.
 * @param own the shard's file, or Pulumi's values for the shard
 * @param ownKeys keys of the settings that are in the shard's file
 */
export function withShardSecrets(family: Source, own: Source, ownKeys: ReadonlySet<string>): Source {
  const keys = [...ownKeys].filter((key) => isSecretKeysAlone(key, own.raw[key]));
  const raw = Object.fromEntries(keys.map((key) => [key, own.raw[key]]));
  const taken = secretPlaces(raw).filter(
    (path) => valueAt(raw, path) !== undefined && typeof valueAt(family.raw, path) !== "string",
  );
  const isTaken = (path: Path) => taken.some((place) => place.every((key, at) => path[at] === key));
  const settings = { ...family.raw };
  for (const path of taken) {
    Object.assign(settings, withValue(settings, path, valueAt(raw, path)));
  }
  return {
    ...family,
    raw: settings,
    lineOf: (path) => (isTaken(path) ? undefined : family.lineOf(path)),
    isSecret: (path) => (isTaken(path) ? own.isSecret(path) : family.isSecret(path)),
    inheritedFrom: (path) => (isTaken(path) ? own.file : family.inheritedFrom?.(path)),
  };
}

/**
 * Mistakes: secret keys that are encrypted for the family's stack and absent from the shard's file. None if the shard
 * has an environment of Pulumi ESC, whose values only Pulumi sees.
 */
export function missingSecrets(family: Source, own: Source, stack: string): Mistake[] {
  const missing = secretPlaces(family.raw).filter(
    (path) => valueAt(family.raw, path) === unread && valueAt(own.raw, path) === undefined,
  );
  return own.hasEnvironment === true
    ? []
    : missing.map((path) => ({
        file: own.file,
        path: path.join("."),
        message: `is missing: ${family.file} has it encrypted for its own stack alone; set it for this one, too: ${encryptCommand(path, stack)}`,
      }));
}

/** A copy of the map with another value at a path; creates the maps on the way to it. */
function withValue(map: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) {
    return value;
  }
  const base = isMap(map) && map !== unread ? map : {};
  return { ...base, [key]: withValue(base[String(key)], rest, value) };
}
