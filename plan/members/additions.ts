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

/** Server-side apply leaves additions in place: undeclared marks, and contents of starter apps and policies. */
export const additionsTo = (classified: readonly Own[]): ObjectPatch[] =>
  classified
    .filter(({ object: { marked, ignored } }) => ignored.length === 0 && marked === "whole")
    .flatMap((each) =>
      [additionTo(each), marksOn(each)]
        .filter((patch) => patch !== undefined)
        .map((patch) => leftoversOf(each.object, patch)),
    );

export const additionsToMembers = (members: readonly Pick<MemberPlan, "classified">[]): ObjectPatch[] =>
  members.flatMap(({ classified }) => additionsTo(classified));

/** Left in place, they would change a starter app for good, keep a policy from judging, or make apply fail. */
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

/** Server-side apply leaves a further field with whoever set it, and merges list entries, such as Deny with Warn. */
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

const leftoversOf = ({ kind, name, namespace }: ObjectName, patch: object): ObjectPatch => ({
  ...{ kind, name, namespace },
  what: `take off ${keyOf({ kind, name, namespace })} what was added to it`,
  patch,
});
