import { objectKey } from "../../cluster/kinds/objectName.ts";
import { type ClusterSnapshot, type Found, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { givenAwayAnnotation, objectLabel, objectsAnnotation } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import { type GivenKind, givenTitle } from "../../config/objects/givenKinds.ts";
import type { GivenObject } from "../../config/objects/objects.ts";
import type { Settings } from "../../config/settings.ts";
import { isMadeFor, recordedOnRoles } from "../live/owner.ts";
import { isUnread } from "../live/unread.ts";

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/** Fields of a member's own object that a run leaves unchanged: all of them. */
export const theirFields: readonly string[] = ["*"];

type Way = "make" | "leave" | "none" | "later" | "taken";

interface Seen {
  readonly settings: Pick<Settings, "stack" | "shards">;
  readonly snapshot: Live;
  /** Whether admission has kept others from writing it. */
  readonly isReserved: (object: GivenObject) => boolean;
}

/**
 * A run makes an object with `theirs` before the member has a key, and records it on their Role. From then on it is
 * theirs: their changes stay, and what they deleted stays away. After an interruption there is none yet: the next run
 * makes what is missing. The record ends with the entry: if that comes back, members get anew what they lack.
 */
function givenAway(member: Member, seen: Seen) {
  const theirs = (member.objects ?? []).filter(({ isTheirs }) => isTheirs);
  const ways = theirs.map((object) => ({ object, way: wayOf(object, member, seen) }));
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

function wayOf(object: GivenObject, member: Member, { settings, snapshot, isReserved }: Seen): Way {
  const wasMade = wasGiven(object, member, snapshot);
  // Who has left the list gets nothing new.
  const ifNew = member.leaves === undefined ? "make" : "later";
  const ifAbsent = wasMade ? "none" : ifNew;
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

export interface TakenObjects {
  /** Names that an object of somebody else's has, as `ConfigMap/course`. */
  readonly names: readonly string[];
  readonly theirs?: GivenAway | undefined;
  /** Contents of copies; undefined if they were not read, and stay as they are. */
  readonly copies?: ClusterSnapshot["copies"];
}

/** Objects that become the member's own, by names such as `ConfigMap/course`. */
interface GivenAway {
  /** Objects that are there, which a run registers and never writes. */
  readonly left: readonly string[];
  /** Objects that were there once, and that the member has deleted since, or that Pulumi can't read: no run registers them. */
  readonly gone: readonly string[];
  /** All objects that have been made after this run, as `configmaps/course`; the member's role records them. */
  readonly made: readonly string[];
}

/** A run leaves others' objects alone, unless the member has `adopt`; what becomes theirs takes over nothing. */
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
    givenAway(member, {
      settings,
      snapshot,
      isReserved: ({ kind, name }) => home !== undefined && listed.includes(givenTitle(kind, name)),
    }) ?? {};
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

export const withoutTaken = (member: Member, taken: TakenObjects | undefined): Member =>
  taken === undefined || taken.names.length === 0
    ? member
    : {
        ...member,
        objects: member.objects?.filter(({ kind, name }) => !taken.names.includes(`${kind}/${name}`)) ?? [],
      };

/** Fields of a copy that a run leaves as they are, where it could not read what it is a copy of. */
export const unreadCopyFields: readonly string[] = ["metadata", "type", "data", "binaryData"];
