import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../config/model/maps.ts";

/** A declared field with another value on the cluster. Values are JSON, undefined where there is none. */
export interface ChangedField {
  readonly field: string;
  readonly live: string | undefined;
  readonly declared: string | undefined;
}

/**
 * Declared fields with other values on the cluster, such as `label app`, each map's keys by themselves.
 * @param isSame compares values that are no maps
 */
export function changedFields(
  live: unknown,
  declared: unknown,
  isSame: (live: unknown, declared: unknown) => boolean = isDeepStrictEqual,
  path: readonly string[] = [],
): ChangedField[] {
  if (isMap(live) && isMap(declared)) {
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

/** A short text that is the same for the same values on the cluster. */
export const traceOf = (fields: readonly ChangedField[]): string =>
  createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 8);
