import type { ClusterSnapshot, ObjectName } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { factsOf } from "./facts.ts";
import { isLeft, isRead, memberObjects, sharedObjects } from "./manifest.ts";
import type { PlannedObject } from "./row.ts";

/** An object that a run declares, as far as it takes to find it on the cluster and to judge what is there. */
export interface MemberObject extends ObjectName {
  /** What a run calls it, after the member's name. */
  readonly part: string;
  /** Kind and name of the role that a binding is to. */
  readonly role?: PlannedObject["role"];
}

/** The policies that judge what is asked for in members' namespaces, and what puts each in force. */
export const policyObjectsOf = (settings: Settings): MemberObject[] =>
  named(sharedObjects(settings).filter(({ part }) => part.startsWith("access/admission/"))).sort((a, b) =>
    a.name < b.name ? -1 : Number(a.name > b.name),
  );

/** What a member's route consists of when it is open, each object after those that it refers to. */
export const routeObjectsOf = (member: Member, settings: Settings): MemberObject[] =>
  named(memberObjects({ member, settings, isOpen: true }).filter(isOfRoute));

/** What the program declares for a member in this run; its route only when that is open. */
export const objectsOf = (
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">,
): MemberObject[] => named(memberObjects(factsOf(member, settings, snapshot)).filter((object) => !isLeft(object)));

const named = (objects: readonly PlannedObject[]): MemberObject[] =>
  objects.filter(isRead).map(({ part, kind, name, namespace, role }) => ({
    part,
    kind,
    name,
    namespace,
    ...(role === undefined ? {} : { role }),
  }));

/** Whether an object is one of what the member's open route is made of. */
export const isOfRoute = ({ part }: Pick<MemberObject, "part">): boolean => part.startsWith("route/");
