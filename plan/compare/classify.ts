import { isDeepStrictEqual } from "node:util";
import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import {
  type ClusterSnapshot,
  type Found,
  liveOf,
  type ObjectName,
  objectNameOf,
} from "../../cluster/read/snapshot.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { type isAbsent, isUnread } from "../decisions/unread/unread.ts";
import type { MemberFacts, PlannedObject } from "../manifest/row.ts";
import type { Declared } from "../objects/declared.ts";
import { type Difference, differenceOf } from "./difference.ts";
import { type Whose, whoseOf } from "./foreign.ts";

/** A planned object, as far as it is held against what is live. */
export interface Comparable {
  readonly kind: StackKind;
  /** As its builder makes it. */
  readonly args: Declared;
  /** Fields that a run leaves as they stand: of what is left to the member, all. Default: none. */
  readonly left?: readonly string[];
  /** How much of it a run marks as applied, and so is compared. Default: all. */
  readonly marked?: PlannedObject["marked"];
  /** By what a live one is the stack's, if not by its place. */
  readonly oursBy?: PlannedObject["oursBy"];
}

/** What is known beside the object and what is live. */
export interface Known {
  /** Whether nobody could look. Default: false. */
  readonly isUnread?: boolean;
  /** Whose the live one is. Default: the stack's. */
  readonly whose?: Whose;
  /** Whether its member has `adopt`, so that what ingress controllers read of it stays. Default: false. */
  readonly adopts?: boolean;
}

/** How a planned object stands to what is live and what is known, as far as that is told without comparing the two. */
export type Presence =
  /** Not there: a run makes it. Where Pulumi's state has it, only a refresh shows that (`isMissing`). */
  | "toMake"
  /** Nobody could look. */
  | "unread"
  /** Left to the member, whatever they make of it. */
  | "theirs"
  | Whose;

/** Of what is ours, also whether it is as it is planned. */
export type Verdict = Exclude<Presence, "ours"> | "changedByHand" | "declaredAnew" | "fine";

/** A planned object, and how it stands. */
export interface Classified<T extends Comparable = Comparable> {
  readonly object: T;
  /** What is there under its name. */
  readonly live: Found<T["kind"]> | undefined;
  readonly standing: Presence;
  /** Told when it is asked for: it takes all that is declared, and a digest of it. */
  readonly difference: Difference;
  readonly verdict: Verdict;
}

/**
 * How a planned object stands to what is live and what is known: all that anybody says about an object follows from this.
 * @param live what is there under its name (`liveOf`)
 */
export function classify<T extends Comparable>(
  object: T,
  live: Found<T["kind"]> | undefined,
  known: Known = {},
): Classified<T> {
  const standing = standingOf(object, live, known);
  let difference: Difference | undefined;
  return {
    object,
    live,
    standing,
    get difference() {
      const { kind, args, marked } = object;
      difference ??= differenceOf(kind, marked === "metadata" ? { metadata: args.metadata } : args, live, known.adopts);
      return difference;
    },
    get verdict() {
      return standing === "ours" ? verdicts[this.difference.by ?? "nobody"] : standing;
    },
  };
}

/** Of each object, how it last stood: neither it nor what is live ever changes, and the watch looks at thousands. */
const last = new WeakMap<Comparable, Classified>();

/**
 * How it stands to a snapshot.
 * @param of whose it is, if it is a member's
 */
export function classifiedIn<T extends Comparable & ObjectName>(
  object: T,
  snapshot: Parameters<typeof isAbsent>[1],
  of?: Pick<MemberFacts, "member" | "settings">,
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

function standingOf({ left = [] }: Comparable, live: Found | undefined, known: Known): Presence {
  const { isUnread = false, whose = "ours" } = known;
  if (live === undefined) {
    return isUnread ? "unread" : "toMake";
  }
  return left.length > 0 ? "theirs" : whose;
}

/** Whether a live binding is to another role, which only a replacement puts right. */
export const isRebound = ({ object, live }: Pick<Classified, "object" | "live">): boolean =>
  live !== undefined &&
  "content" in live &&
  !isDeepStrictEqual(live.content.roleRef, Reflect.get(object.args, "roleRef"));

/** An object that is there and that nobody plans. */
export interface Unplanned {
  readonly object: ObjectName;
  readonly live: Found;
  /** Whether a run of whatever stack has made it, as its labels say; else somebody else has. */
  readonly standing: "leftover" | "strange";
}

/** @param planned keys of what is planned */
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
