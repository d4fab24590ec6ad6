import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../config/values/maps.ts";
import { isMarked } from "./changes/values.ts";

/** A value that differs between two declarations of an object; undefined where it is missing. */
export interface Differing {
  readonly path: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Differences between two values, down to single values and whole lists. Lists with a distinct `type` in each entry, as
 * in a LimitRange, are compared entry by entry, and a pod's lists by the names of their entries.
 */
export function differing(from: unknown, to: unknown, path: readonly string[] = []): Differing[] {
  if (isDeepStrictEqual(from, to)) {
    return [];
  }
  const key = named.includes(path.at(-1) ?? "") ? "name" : "type";
  const [before, after] = [entries(from, key), entries(to, key)];
  // Reports a map on one side only part by part as well.
  if ((before === undefined && from !== undefined) || (after === undefined && to !== undefined)) {
    return [{ path, from, to }];
  }
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return keys.length === 0
    ? [{ path, from, to }]
    : keys.flatMap((key) => differing(before?.[key], after?.[key], [...path, key]));
}

/** Lists whose entries Kubernetes itself identifies by name. */
const named = ["containers", "env", "volumeMounts", "volumes"];

function entries(value: unknown, by: "name" | "type"): Readonly<Record<string, unknown>> | undefined {
  if (!Array.isArray(value)) {
    return isMap(value) && !isMarked(value) ? value : undefined;
  }
  const types = value.map((entry) => (isMap(entry) ? entry[by] : undefined));
  const isTyped = types.every((type) => typeof type === "string") && new Set(types).size === types.length;
  return isTyped && types.length > 0
    ? Object.fromEntries(value.map((entry, at) => [`[${types[at]}]`, entry]))
    : undefined;
}
