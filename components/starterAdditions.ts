import { leftoversOf, leftoversPatch } from "../cluster/write/leftovers.ts";
import type { ObjectPatch } from "../cluster/write/patchEach.ts";
import type { Declared, Drift } from "../plan/compare/drift.ts";
import type { StarterKind } from "../plan/decisions/starter/names.ts";
import type { PlannedObject } from "../plan/manifest/row.ts";
import type { MemberPlan } from "../plan/memberPlan.ts";

interface Kept {
  readonly kind: StarterKind;
  readonly args: Declared;
}

/**
 * What somebody has added by hand to a part of a starter app that is kept, such as a container or a command, as the patch
 * that takes it off; undefined where there is none. Server-side apply would leave it with whoever added it, and the app be
 * another one for good; or would refuse what comes of both.
 */
export function additionTo({ kind, args }: Kept, drift: Drift): object | undefined {
  if (kind === "ConfigMap") {
    // Whatever the live object says of who has changed it: a name can't stand in both.
    const { binaryData } = drift.liveOf(kind, args)?.content ?? {};
    const isInPlace = Object.keys(Object(binaryData)).some((name) => name in Object(Reflect.get(args, "data")));
    return isInPlace ? { binaryData: null } : undefined;
  }
  const { content } = drift.changedByHand(kind, args) ?? {};
  const patch = leftoversPatch(content?.spec, Reflect.get(args, "spec"));
  return patch && { spec: patch };
}

/** All of it. */
export const starterAdditions = (members: readonly MemberPlan[], drift: Drift): ObjectPatch[] =>
  members.flatMap(({ base }) =>
    base.filter(isKeptStarter).flatMap((object) => {
      const { kind, name, namespace } = object;
      const patch = additionTo(object, drift);
      return patch === undefined ? [] : [leftoversOf({ kind, name, namespace }, patch)];
    }),
  );

/** Whether it is a part of a starter app that every run declares whole. */
export const isKeptStarter = (object: PlannedObject): object is PlannedObject & Kept =>
  object.part.startsWith("starter/") && object.marked === "whole";
