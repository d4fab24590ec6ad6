import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, type Found, type ObjectName, objectNameOf } from "../../cluster/read/snapshot.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import type { Declared } from "../objects/declared.ts";
import { type Difference, differenceOf } from "./difference.ts";
import type { Whose } from "./foreign.ts";

/** An object that a run plans. */
export interface Planned {
  readonly kind: StackKind;
  /** As its builder makes it. */
  readonly args: Declared;
  /** Fields that a run leaves as they stand: of what is left to the member, all. Default: none. */
  readonly left?: readonly string[];
}

/** What is known beside the object and what is live. */
export interface Known {
  /** Whether nobody could look. Default: false. */
  readonly isUnread?: boolean;
  /** Whether an earlier run has made it, as Pulumi's state tells. Default: false. */
  readonly wasMade?: boolean;
  /** Whose the live one is. Default: the stack's. */
  readonly whose?: Whose;
  /** Whether its member has `adopt`, so that what ingress controllers read of it stays. Default: false. */
  readonly adopts?: boolean;
}

/** How a planned object stands to what is live and what is known, as far as that is told without comparing the two. */
export type Standing =
  /** Not there: a run makes it. */
  | "toMake"
  /** Not there, though an earlier run has made it: only a refresh shows that to Pulumi. */
  | "missing"
  /** Nobody could look. */
  | "unread"
  /** Left to the member, whatever they make of it. */
  | "theirs"
  | Whose;

/** Of what is ours, also whether it is as it is planned. */
export type Verdict = Exclude<Standing, "ours"> | "changedByHand" | "declaredAnew" | "fine";

/** A planned object, and how it stands. */
export interface Classified<T extends Planned = Planned> {
  readonly object: T;
  /** What is there under its name. */
  readonly live: Found<T["kind"]> | undefined;
  readonly standing: Standing;
  /** Told when it is asked for: it takes all that is declared, and a digest of it. */
  readonly difference: Difference;
  readonly verdict: Verdict;
}

/**
 * How a planned object stands to what is live and what is known: all that anybody says about an object follows from this.
 * @param live what is there under its name (`liveOf`)
 */
export function classify<T extends Planned>(
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
      difference ??= differenceOf(object.kind, object.args, live, known.adopts);
      return difference;
    },
    get verdict() {
      return standing === "ours" ? verdicts[this.difference.by ?? "nobody"] : standing;
    },
  };
}

const verdicts = { hand: "changedByHand", declaration: "declaredAnew", nobody: "fine" } as const;

function standingOf({ left = [] }: Planned, live: Found | undefined, known: Known): Standing {
  const { isUnread = false, wasMade = false, whose = "ours" } = known;
  if (live === undefined) {
    return isUnread ? "unread" : wasMade ? "missing" : "toMake";
  }
  return left.length > 0 ? "theirs" : whose;
}

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
