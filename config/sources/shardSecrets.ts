import { isMap } from "../model/maps.ts";
import { encryptCommand, isSecretKeysAlone, secretPlaces } from "../model/secretKeys.ts";
import { unread } from "../model/unread.ts";
import { type Mistake, valueAt } from "./mistakes.ts";
import type { Source } from "./sources.ts";

type Path = readonly PropertyKey[];

/**
 * The settings of a family with the secret keys that stand in its shard's own file: Pulumi encrypts for one stack alone.
 * One that stands as plain text in the family's file stays, as the mistake that it is.
 * @param own what the shard's file says, or Pulumi hands over for it
 * @param ownKeys of its settings, those that stand in its file
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
 * Secret keys that are encrypted for the family's stack and that the shard's file has not: what an environment of
 * Pulumi ESC adds to it can't be seen without Pulumi.
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

/** A map with another value at a path; what is no map on the way to it becomes one. */
function withValue(map: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) {
    return value;
  }
  const base = isMap(map) && map !== unread ? map : {};
  return { ...base, [key]: withValue(base[String(key)], rest, value) };
}
