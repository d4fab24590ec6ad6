import { type ClusterSnapshot, type Found, liveOf } from "../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { givenAwayAnnotation, objectLabel } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import { givenTitle } from "../../config/objects/givenKinds.ts";
import type { GivenObject } from "../../config/objects/objects.ts";
import type { Settings } from "../../config/settings.ts";
import { isMadeFor, recordedOnRoles } from "../compare/foreign.ts";
import type { GivenAway } from "../manifest/row.ts";
import { isUnread } from "./unread/unread.ts";

type OfStack = Pick<Settings, "stack" | "shards">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/** Fields of a member's own object that a run leaves unchanged: all of them. */
export const theirFields: readonly string[] = ["*"];

/** A run's decision on an object that becomes the member's own. */
type Way = "make" | "leave" | "none" | "later" | "taken";

/** Decisions about objects with `theirs`, and the names that an object of somebody else's has. */
interface Decided extends GivenAway {
  readonly taken: readonly string[];
}

/**
 * Decides about a member's objects with `theirs`. A run makes each before the member has a key, and records it on their
 * Role. From then on it is theirs: their changes stay, and what they deleted stays away. If a run is interrupted before,
 * there is no record yet, so that the next run makes what is missing. The record ends with the entry: if that comes back,
 * members get anew what they no longer have.
 * @param isReserved whether admission has kept others from writing it
 */
export function givenAway(
  member: Member,
  settings: OfStack,
  snapshot: Live,
  isReserved: (object: GivenObject) => boolean,
): Decided | undefined {
  const theirs = (member.objects ?? []).filter(({ isTheirs }) => isTheirs);
  const ways = theirs.map((object) => ({ object, way: wayOf(object, member, settings, snapshot, isReserved) }));
  const among = (...some: readonly Way[]) => ways.flatMap(({ object, way }) => (some.includes(way) ? [object] : []));
  const names = (objects: readonly GivenObject[]) => objects.map(({ kind, name }) => `${kind}/${name}`);
  return theirs.length === 0
    ? undefined
    : {
        left: names(among("leave")),
        gone: names(among("none", "later")),
        made: among("make", "leave", "none").map(({ kind, name }) => givenTitle(kind, name)),
        taken: names(among("taken")),
      };
}

function wayOf(
  object: GivenObject,
  member: Member,
  settings: OfStack,
  snapshot: Live,
  isReserved: (object: GivenObject) => boolean,
): Way {
  const wasMade = wasGiven(object, member, snapshot);
  // Who has left the list gets nothing new.
  const ifAbsent = wasMade ? "none" : member.leaves === undefined ? "make" : "later";
  if (isUnread(object.kind, snapshot)) {
    const ifUnknown = snapshot.unread?.isLeftOut && ifAbsent === "make" ? "later" : ifAbsent;
    return isInState(object, member, snapshot) ? "leave" : ifUnknown;
  }
  const live: Found | undefined = liveOf({ ...object, namespace: namespaceName(member) }, snapshot);
  if (live === undefined) {
    return ifAbsent;
  }
  if (!isMadeFor(member, live, settings)) {
    return wasMade ? "none" : "taken";
  }
  if (live.labels[objectLabel] === "theirs") {
    // What Pulumi can't read, it has to forget.
    return live.isMarked === true ? "none" : "leave";
  }
  // It was the platform's until now, so nobody else has changed it.
  if (isReserved(object) && live.isMarked !== true) {
    return "make";
  }
  // Without the label, a run reads no more than its name: Pulumi may not be able to read it.
  return wasMade ? "none" : "taken";
}

/** Whether a Role of the member's records it. Either counts, so that a member whose type changes is not given it again. */
function wasGiven(object: GivenObject, member: Member, snapshot: Live): boolean {
  if (isUnread("Role", snapshot)) {
    return isInState(object, member, snapshot);
  }
  const titles = recordedOnRoles(member, givenAwayAnnotation, snapshot).flatMap((text) => text.split(","));
  return titles.includes(givenTitle(object.kind, object.name));
}

/** Whether Pulumi's state has it, so that a preview can decide by that; true if the state is unknown. */
const isInState = (object: GivenObject, member: Member, { unread }: Live): boolean =>
  unread?.last?.has(logicalNames.object(member, object)) ?? true;
