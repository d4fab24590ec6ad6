import { type ObjectName, objectKey } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { Declared } from "../compare/difference.ts";
import { starterKinds } from "../decisions/starter/names.ts";
import type { StarterPlan } from "../decisions/starter/plan.ts";
import { isRead, memberObjects, sharedObjects } from "./manifest.ts";
import type { MemberFacts, ReadObject } from "./row.ts";

/** An object as a run declares it, but for the annotation that tells what was applied. */
export interface DeclaredObject {
  readonly kind: ObjectName["kind"];
  /** As `objectKey` has it. */
  readonly key: string;
  readonly args: Declared;
}

/**
 * What stands whether or not the route is open, in the order of what depends on what.
 * @param hasStarter whether a starter app was made for them, as their role says
 * @param starterImage what that was made once with
 */
export const baseOf = (
  member: Member,
  settings: Settings,
  hasStarter: boolean,
  starterImage?: string,
): DeclaredObject[] =>
  declaredOf({ member, settings, isOpen: false, starterImage, starter: starterWith({ marks: hasStarter }) }, (part) =>
    part.startsWith("bucket/") ? "no" : "whole",
  );

/** What a starter app consists of when it is made, beside the Service; nothing for a member who is to have none. */
export function starterOf(member: Member, settings: Settings): DeclaredObject[] {
  const { mode } = member.starter ?? {};
  const starter = mode && starterWith({ mode, made: starterKinds });
  return declaredOf({ member, settings, isOpen: false, starter }, (part) =>
    part.startsWith("starter/") ? "whole" : "no",
  );
}

/** What says in their namespace how their buckets are reached: of that, nothing but the metadata is watched. */
export const bucketsOf = (member: Member, settings: Settings): DeclaredObject[] =>
  declaredOf({ member, settings, isOpen: false }, (part) => (part.startsWith("bucket/") ? "metadata" : "no"));

/** What the route consists of when it is open; nothing for a member who is to have none. */
export const routeOf = (member: Member, settings: Settings): DeclaredObject[] =>
  declaredOf({ member, settings, isOpen: member.route !== undefined }, (part) =>
    part.startsWith("route/") ? "whole" : "no",
  );

/** What a stack has once, but for the Secret: whoever may watch Secrets may read them. */
export const sharedOf = (settings: Settings): DeclaredObject[] =>
  sharedObjects(settings)
    .filter(isRead)
    .filter(({ kind }) => kind !== "Secret")
    .map((object) => declared(object, "whole"));

const starterWith = (plan: Partial<StarterPlan>): StarterPlan => ({
  ...{ mode: "kept", made: [], left: [], service: "none", wasMade: false, marks: false },
  ...plan,
});

function declaredOf(facts: MemberFacts, howMuch: (part: string) => "whole" | "metadata" | "no"): DeclaredObject[] {
  return memberObjects(facts)
    .filter(isRead)
    .flatMap((object) => {
      const much = howMuch(object.part);
      return much === "no" ? [] : [declared(object, much)];
    });
}

function declared({ kind, name, namespace, args }: ReadObject, howMuch: "whole" | "metadata"): DeclaredObject {
  const { metadata } = args;
  return { kind, key: objectKey(kind, name, namespace), args: howMuch === "whole" ? args : { metadata } };
}
