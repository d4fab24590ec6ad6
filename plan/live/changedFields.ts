import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../config/values/maps.ts";
import type { ChangedField } from "../words/drift.ts";

/** Maps that are atomic to the API server, as are all lists of most kinds. */
const atomicMaps = ["podSelector", "roleRef"];

/** As server-side apply makes them: atomic values the same, undeclared keys of other maps left to whoever set them. */
export function changedFields(
  live: unknown,
  declared: unknown,
  isSame: (live: unknown, declared: unknown) => boolean = isDeepStrictEqual,
  path: readonly string[] = [],
): ChangedField[] {
  if (isMap(live) && isMap(declared) && !atomicMaps.includes(path.at(-1) ?? "")) {
    return Object.entries(declared).flatMap(([key, value]) => changedFields(live[key], value, isSame, [...path, key]));
  }
  return isSame(live, declared)
    ? []
    : [{ field: fieldName(path), live: JSON.stringify(live), declared: JSON.stringify(declared) }];
}

function fieldName(path: readonly string[]): string {
  const [first = "", ...rest] = path;
  return first === "labels" || first === "annotations" ? `${first.slice(0, -1)} ${rest.join(".")}` : path.join(".");
}

export const digestOf = (value: object): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** A short text that is the same for the same values on the cluster. */
export const traceOf = (fields: readonly ChangedField[]): string => digestOf(fields).slice(0, 8);
