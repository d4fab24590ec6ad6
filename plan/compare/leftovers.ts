import { isDeepStrictEqual } from "node:util";
import { keyOf, type ObjectName } from "../../cluster/read/snapshot.ts";
import type { ObjectPatch } from "../../cluster/write/patchEach.ts";
import { isMap } from "../../config/model/maps.ts";

/**
 * The patch that takes off what somebody has put beside what is declared; undefined where there is nothing of it.
 * Server-side apply leaves a further field with whoever set it, as a condition of a policy under which it never judges;
 * and puts its own entry of a list beside theirs, as the action Deny beside Warn, which the API server does not take.
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

/** That patch of an object, as a run makes it before the provider applies what is declared. */
export const leftoversOf = ({ kind, name, namespace }: ObjectName, patch: object): ObjectPatch => ({
  ...{ kind, name, namespace },
  what: `take off ${keyOf({ kind, name, namespace })} what was added to it`,
  patch,
});
