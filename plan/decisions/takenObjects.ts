import { type ClusterSnapshot, liveOf, objectKey } from "../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { objectsAnnotation } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { type GivenKind, givenTitle } from "../../config/objects/givenKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { isMadeFor } from "../compare/foreign.ts";
import type { TakenObjects } from "../manifest/row.ts";
import { givenAway } from "./givenAway.ts";

/**
 * Names of a member's `objects` that an object of somebody else's has, as `ConfigMap/course`. A run leaves it alone, unless
 * the member has `adopt`; what becomes the member's own takes over nothing.
 */
export function takenObjects(
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "copies" | "unread">,
): TakenObjects | undefined {
  const { objects = [], adopt } = member;
  if (objects.length === 0) {
    return undefined;
  }
  const home = snapshot.managedObjects.get(objectKey("Namespace", namespaceName(member)));
  const listed = home?.annotations[objectsAnnotation]?.split(",") ?? [];
  // A preview that can't read namespaces goes by the marks.
  const isListed = (kind: GivenKind, name: string) => home === undefined || listed.includes(givenTitle(kind, name));
  const isTaken = ({ kind, name }: (typeof objects)[number]) => {
    const live = liveOf({ kind, name, namespace: namespaceName(member) }, snapshot);
    // Members can write an object's marks, but not their namespace's list of what they are given.
    return live !== undefined && !(isListed(kind, name) && isMadeFor(member, live, settings));
  };
  const isCopied = objects.some(({ copyOf }) => copyOf !== undefined);
  const { taken = [], ...theirs } =
    givenAway(
      member,
      settings,
      snapshot,
      ({ kind, name }) => home !== undefined && listed.includes(givenTitle(kind, name)),
    ) ?? {};
  // What Pulumi can't read is in the way, whosever it is.
  const isMarked = ({ kind, name }: (typeof objects)[number]) =>
    liveOf({ kind, name, namespace: namespaceName(member) }, snapshot)?.isMarked === true;
  const platforms = objects.filter((object) => !object.isTheirs && (isMarked(object) || (!adopt && isTaken(object))));
  return {
    ...(isCopied ? { copies: snapshot.copies } : {}),
    ...("made" in theirs ? { theirs } : {}),
    names: [...platforms.map(({ kind, name }) => `${kind}/${name}`), ...taken],
  };
}

/** The member with the objects that they are given now. */
export const withoutTaken = (member: Member, taken: TakenObjects | undefined): Member =>
  taken === undefined || taken.names.length === 0
    ? member
    : {
        ...member,
        objects: member.objects?.filter(({ kind, name }) => !taken.names.includes(`${kind}/${name}`)) ?? [],
      };

/** Fields of a copy that a run leaves as they are, where it could not read what it is a copy of. */
export const unreadCopyFields: readonly string[] = ["metadata", "type", "data", "binaryData"];
