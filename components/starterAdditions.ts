import { type ClusterSnapshot, contentOf } from "../cluster/read/snapshot.ts";
import { leftoversOf, leftoversPatch } from "../cluster/write/leftovers.ts";
import type { ObjectPatch } from "../cluster/write/patchEach.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import type { Planned } from "../plan/compare/classify.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { starterObject } from "../plan/decisions/starter/names.ts";
import { starterPlan } from "../plan/decisions/starter/plan.ts";
import { starterObjects } from "../plan/objects/starter/starterObjects.ts";

/**
 * What somebody has added by hand, such as a container or a command to a starter app that is kept, or a condition to a policy,
 * as the patch that takes it off; undefined where there is none. Server-side apply would leave it with whoever added it, and
 * the app be another one for good; or would refuse what comes of both.
 */
export function additionTo({ kind, args }: Planned, drift: Drift): object | undefined {
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

/** All of it. */
export function starterAdditions(
  members: readonly Member[],
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">,
  drift: Drift,
): ObjectPatch[] {
  return members.flatMap((member) => {
    const plan = starterPlan(member, settings, snapshot);
    const kept =
      plan?.mode === "kept"
        ? starterObjects(member, plan, settings, snapshot.managedObjects).filter(({ stays }) => !stays)
        : [];
    return kept.flatMap((object) => {
      const patch = additionTo({ kind: object.kind, args: object.build() }, drift);
      return patch === undefined ? [] : [leftoversOf(starterObject(member, object.kind), patch)];
    });
  });
}
