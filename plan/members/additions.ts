import { isDeepStrictEqual } from "node:util";
import { keyOf, type ObjectName } from "../../cluster/kinds/objectName.ts";
import { stackKind } from "../../cluster/kinds/stackKinds.ts";
import { contentOf } from "../../cluster/read/snapshot.ts";
import type { ObjectPatch } from "../../cluster/write/patchEach.ts";
import { isOfStarterApp } from "../../config/names/logicalNames.ts";
import { isMap } from "../../config/values/maps.ts";
import { addedMarksPatch } from "../live/addedMarks.ts";
import type { Classified } from "../live/classify.ts";
import type { ReadObject } from "../rows/row.ts";
import type { MemberPlan } from "./memberPlan.ts";

type Own = Classified<ReadObject>;

/**
 * Patches that remove additions to the declared objects, since server-side apply leaves those in place: labels and
 * annotations of every object that a run marks, and contents of starter apps and admission policies.
 */
export const additionsTo = (classified: readonly Own[]): ObjectPatch[] =>
  classified
    .filter(({ object: { marked, ignored } }) => ignored.length === 0 && marked === "whole")
    .flatMap((each) =>
      [additionTo(each), marksOn(each)]
        .filter((patch) => patch !== undefined)
        .map((patch) => leftoversOf(each.object, patch)),
    );

/** The same for all members' objects. */
export const additionsToMembers = (members: readonly Pick<MemberPlan, "classified">[]): ObjectPatch[] =>
  members.flatMap(({ classified }) => additionsTo(classified));

/**
 * The patch that removes additions by hand, such as a container of a starter app or a condition of a policy; undefined if
 * there are none. Left in place, they would change the app for good or keep the policy from judging, or the API server
 * would refuse the combination.
 */
export function additionTo(own: Own): object | undefined {
  const { part, kind, args } = own.object;
  if (!isOfStarterApp({ part }) && stackKind(kind).compared !== "wholeSpec") {
    return undefined;
  }
  const { live } = own;
  if (kind === "ConfigMap") {
    // The API server refuses a key that is in both `data` and `binaryData`.
    const { binaryData } = contentOf(live);
    const isInPlace = Object.keys(Object(binaryData)).some((name) => name in Object(Reflect.get(args, "data")));
    return isInPlace ? { binaryData: null } : undefined;
  }
  const patch = leftoversPatch(contentOf(live).spec, Reflect.get(args, "spec"));
  return own.verdict === "changedByHand" && patch !== undefined ? { spec: patch } : undefined;
}

/** Includes a Service that is taken over: only its labels and annotations are compared. */
function marksOn({ object, standing, difference }: Own): object | undefined {
  const isTakenOver = standing === "toTakeOver" && object.kind !== "Service";
  return isTakenOver || difference.added === undefined ? undefined : addedMarksPatch(difference.added);
}

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
const leftoversOf = ({ kind, name, namespace }: ObjectName, patch: object): ObjectPatch => ({
  ...{ kind, name, namespace },
  what: `take off ${keyOf({ kind, name, namespace })} what was added to it`,
  patch,
});
