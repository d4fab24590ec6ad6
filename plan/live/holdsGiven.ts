import { isDeepStrictEqual } from "node:util";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { isMap } from "../../config/values/maps.ts";

/**
 * Whether a live object has all of a manifest written by hand, be it in the API server's form (`1000m` as `1`), or
 * without an empty text. Further fields are defaults: admission keeps everybody else from writing it.
 */
export function holdsGiven(live: unknown, declared: unknown): boolean {
  if (live === undefined || live === null) {
    return isEmpty(declared);
  }
  if (Array.isArray(live) && Array.isArray(declared)) {
    return live.length === declared.length && declared.every((entry, at) => holdsGiven(live[at], entry));
  }
  if (isMap(live) && isMap(declared)) {
    return Object.entries(declared).every(([key, value]) => holdsGiven(live[key], value));
  }
  return isDeepStrictEqual(live, declared) || isSameQuantity(live, declared);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.values(value).every(isEmpty));

function isSameQuantity(live: unknown, declared: unknown): boolean {
  const [a, b] = [live, declared].map((value) =>
    typeof value === "string" || typeof value === "number" ? quantityValue(String(value)) : undefined,
  );
  return a !== undefined && a === b;
}
