import { isDeepStrictEqual } from "node:util";
import { type ObjectName, objectNameOf } from "../../cluster/kinds/objectName.ts";
import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, type Found, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import type { Declared } from "../../objects/declared.ts";
import { type Difference, differenceOf } from "./difference.ts";
import { type OursBy, type Whose, whoseOf } from "./owner.ts";
import { type isAbsent, isUnread } from "./unread.ts";

/** How much of an object a run marks as applied, and so sees if it is changed by hand. */
export type Marked = "whole" | "metadata" | "none";

export interface Comparable {
  readonly kind: StackKind;
  readonly args: Declared;
  readonly ignored?: readonly string[];
  readonly marked?: Marked;
  readonly oursBy?: OursBy | undefined;
}

export interface Owner {
  readonly member: Pick<Member, "name" | "adopt">;
  readonly settings: Pick<Settings, "stack" | "shards">;
}

export interface ObjectFacts {
  readonly isUnread?: boolean;
  /** Owner of the live object. Default: the stack. */
  readonly whose?: Whose;
  /** Whether its member has `adopt`, so that annotations for ingress controllers stay. Default: false. */
  readonly adopts?: boolean;
}

type Presence =
  /** Absent: a run makes it. If Pulumi's state has it, Pulumi notices only in a refresh (`isMissing`). */
  | "toMake"
  /** Nobody could read the kind. */
  | "unread"
  | "theirs"
  | Whose;

type Verdict = Exclude<Presence, "ours"> | "changedByHand" | "declaredAnew" | "fine";

export interface Classified<T extends Comparable = Comparable> {
  readonly object: T;
  readonly live: Found<T["kind"]> | undefined;
  readonly standing: Presence;
  /** Computed when first needed: it takes the whole declaration and its digest. */
  readonly difference: Difference;
  readonly verdict: Verdict;
}

/** Every report about an object follows from this. @param live the live object of that name (`liveOf`) */
export function classify<T extends Comparable>(
  object: T,
  live: Found<T["kind"]> | undefined,
  known: ObjectFacts = {},
): Classified<T> {
  const standing = standingOf(object, live, known);
  let difference: Difference | undefined;
  return {
    object,
    live,
    standing,
    get difference() {
      const { kind, args, marked } = object;
      difference ??= differenceOf(kind, marked === "metadata" ? { metadata: args.metadata } : args, live, known);
      return difference;
    },
    get verdict() {
      return standing === "ours" ? verdicts[this.difference.by ?? "nobody"] : standing;
    },
  };
}

/** Last result for each object: planned and live objects never change in place, and the watch compares thousands. */
const last = new WeakMap<Comparable, Classified>();

export function classifiedIn<T extends Comparable & ObjectName>(
  object: T,
  snapshot: Parameters<typeof isAbsent>[1],
  of?: Owner,
): Classified<T> {
  const live = liveOf<T["kind"]>(object, snapshot);
  const classified = classify(object, live, {
    isUnread: isUnread(object.kind, snapshot),
    ...(of === undefined || live === undefined ? {} : { whose: whoseOf(object, live, of.member, of.settings) }),
    adopts: of?.member.adopt === true,
  });
  const before = last.get(object);
  if (before?.live === live && before?.standing === classified.standing) {
    return before as Classified<T>;
  }
  last.set(object, classified);
  return classified;
}

const verdicts = { hand: "changedByHand", declaration: "declaredAnew", nobody: "fine" } as const;

function standingOf({ ignored = [] }: Comparable, live: Found | undefined, known: ObjectFacts): Presence {
  const { isUnread = false, whose = "ours" } = known;
  if (live === undefined) {
    return isUnread ? "unread" : "toMake";
  }
  return ignored.length > 0 ? "theirs" : whose;
}

/** Whether a live binding refers to another role, which only a replacement corrects. */
export const isRebound = ({ object, live }: Pick<Classified, "object" | "live">): boolean =>
  live !== undefined &&
  "content" in live &&
  !isDeepStrictEqual(live.content.roleRef, Reflect.get(object.args, "roleRef"));

export interface Unplanned {
  readonly object: ObjectName;
  readonly live: Found;
  /** `leftover` if its labels say that a run of any stack made it. */
  readonly standing: "leftover" | "strange";
}

export function unplanned(
  planned: ReadonlySet<string>,
  { managedObjects, services }: Pick<ClusterSnapshot, "managedObjects" | "services">,
): Unplanned[] {
  const all = [...managedObjects, ...[...services].map(([key, live]) => [`Service ${key}`, live] as const)];
  return all
    .filter(([key]) => !planned.has(key))
    .map(([key, live]) => ({ object: objectNameOf(key), live, standing: isLabelled(live) ? "leftover" : "strange" }));
}

const isLabelled = ({ labels }: Found) => labels[stackLabel] !== undefined || labels[memberLabel] !== undefined;
