import { stackKinds } from "../../cluster/kinds/stackKinds.ts";
import { contentOf } from "../../cluster/read/snapshot.ts";
import type { ObjectPatch } from "../../cluster/write/patchEach.ts";
import { isOfStarterApp } from "../../naming/logicalNames.ts";
import type { PlannedObject, ReadObject } from "../manifest/row.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { addedMarksPatch } from "./addedMarks.ts";
import type { Planned } from "./classify.ts";
import type { Drift } from "./drift.ts";
import { leftoversOf, leftoversPatch } from "./leftovers.ts";

/**
 * What somebody has put beside what a run declares, as the patches that take it off: server-side apply leaves it with whoever
 * put it there. Labels and annotations of all that a run marks, and more of what lets others in or runs something else.
 */
export const additionsTo = (objects: readonly ReadObject[], drift: Drift): ObjectPatch[] =>
  objects
    .filter(({ marked }) => marked === "whole" || marked === "named")
    .flatMap((object) =>
      [additionTo(object, drift), marksOn(object, drift)]
        .filter((patch) => patch !== undefined)
        .map((patch) => leftoversOf(object, patch)),
    );

/** The same of all that members have. */
export const additionsToMembers = (members: readonly MemberPlan[], drift: Drift): ObjectPatch[] =>
  members.flatMap(({ declared }) => additionsTo(declared, drift));

/**
 * What somebody has added by hand, such as a container or a command to a starter app that is kept, or a condition to a policy,
 * as the patch that takes it off; undefined where there is none. Left with whoever added it, the app would be another one for
 * good, and the policy judge nothing; or the API server would refuse what comes of both.
 */
export function additionTo(
  { part, kind, args }: Planned & Pick<PlannedObject, "part">,
  drift: Drift,
): object | undefined {
  if (!isOfStarterApp({ part }) && stackKinds[kind].compared !== "wholeSpec") {
    return undefined;
  }
  const { live, verdict } = drift.of(kind, args);
  if (kind === "ConfigMap") {
    // Whatever the live object says of who has changed it: a name can't stand in both.
    const { binaryData } = contentOf(live);
    const isInPlace = Object.keys(Object(binaryData)).some((name) => name in Object(Reflect.get(args, "data")));
    return isInPlace ? { binaryData: null } : undefined;
  }
  const patch = leftoversPatch(contentOf(live).spec, Reflect.get(args, "spec"));
  return verdict === "changedByHand" && patch !== undefined ? { spec: patch } : undefined;
}

function marksOn({ kind, args }: Planned, drift: Drift): object | undefined {
  const { verdict, difference } = drift.of(kind, args);
  return verdict === "changedByHand" && difference.added !== undefined ? addedMarksPatch(difference.added) : undefined;
}
