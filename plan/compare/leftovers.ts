import { isDeepStrictEqual } from "node:util";
import { keyOf, type ObjectName } from "../../cluster/read/snapshot/snapshot.ts";
import type { ObjectPatch } from "../../cluster/write/patchEach.ts";
import { isMap } from "../../config/model/maps.ts";

/**
 * The patch that removes undeclared additions; undefined if there are none. Server-side apply leaves a further field with
 * whoever set it, such as a match condition that disables a policy. It also merges its list entries with theirs, such as
 * the action Deny with Warn, which the API server refuses.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function leftoversPatch(live: unknown, declared: unknown): object | undefined {
  if (!isMap(live) || !isMap(declared)) {
    return undefined;
  }
  const added = Object.keys(live).filter((key) => !(key in declared));
  const within = Object.entries(declared).flatMap(([key, value]): (readonly [string, unknown])[] => {
    if (Array.isArray(value)) {
      return isDeepStrictEqual(live[key], value) ? [] : [[key, value]];
    }
    const patch = leftoversPatch(live[key], value);
    return patch === undefined ? [] : [[key, patch]];
  });
  const changes = [...added.map((key) => [key, null] as const), ...within];
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** The patch of an object, for a run to make before the provider applies the declaration. */
export const leftoversOf = ({ kind, name, namespace }: ObjectName, patch: object): ObjectPatch => ({
  ...{ kind, name, namespace },
  what: `take off ${keyOf({ kind, name, namespace })} what was added to it`,
  patch,
});
