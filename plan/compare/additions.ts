import { stackKinds } from "../../cluster/kinds/stackKinds.ts";
import { contentOf } from "../../cluster/read/snapshot.ts";
import type { ObjectPatch } from "../../cluster/write/patchEach.ts";
import { isOfStarterApp } from "../../naming/logicalNames.ts";
import type { ReadObject } from "../manifest/row.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { addedMarksPatch } from "./addedMarks.ts";
import type { Classified } from "./classify.ts";
import { leftoversOf, leftoversPatch } from "./leftovers.ts";

type Own = Classified<ReadObject>;

/**
 * What somebody has put beside what a run declares, as the patches that take it off: server-side apply leaves it with whoever
 * put it there. Labels and annotations of all that a run marks, and more of what lets others in or runs something else.
 */
export const additionsTo = (classified: readonly Own[]): ObjectPatch[] =>
  classified
    .filter(({ object: { marked, left } }) => left.length === 0 && (marked === "whole" || marked === "named"))
    .flatMap((each) =>
      [additionTo(each), marksOn(each)]
        .filter((patch) => patch !== undefined)
        .map((patch) => leftoversOf(each.object, patch)),
    );

/** The same of all that members have. */
export const additionsToMembers = (members: readonly Pick<MemberPlan, "classified">[]): ObjectPatch[] =>
  members.flatMap(({ classified }) => additionsTo(classified));

/**
 * What somebody has added by hand, such as a container or a command to a starter app that is kept, or a condition to a policy,
 * as the patch that takes it off; undefined where there is none. Left with whoever added it, the app would be another one for
 * good, and the policy judge nothing; or the API server would refuse what comes of both.
 */
export function additionTo(own: Own): object | undefined {
  const { part, kind, args } = own.object;
  if (!isOfStarterApp({ part }) && stackKinds[kind].compared !== "wholeSpec") {
    return undefined;
  }
  const { live } = own;
  if (kind === "ConfigMap") {
    // Whatever the live object says of who has changed it: a name can't stand in both.
    const { binaryData } = contentOf(live);
    const isInPlace = Object.keys(Object(binaryData)).some((name) => name in Object(Reflect.get(args, "data")));
    return isInPlace ? { binaryData: null } : undefined;
  }
  const patch = leftoversPatch(contentOf(live).spec, Reflect.get(args, "spec"));
  return own.verdict === "changedByHand" && patch !== undefined ? { spec: patch } : undefined;
}

/** On a Service also where it is taken over: nothing else of it is compared. */
function marksOn({ object, standing, difference }: Own): object | undefined {
  const isTakenOver = standing === "toTakeOver" && object.kind !== "Service";
  return isTakenOver || difference.added === undefined ? undefined : addedMarksPatch(difference.added);
}
