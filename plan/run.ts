import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../config/model/members/member.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import { removes, type Target } from "../config/model/target.ts";
import { stackLabel } from "../naming/labels.ts";
import { mayBeMissing, unguarded } from "./compare/missing.ts";
import { atMoment } from "./decisions/sleep.ts";
import type { KnownMembers } from "./decisions/unread/lastState.ts";
import { endingOf, halfForgotten, isOursEnding, mayHaveBeen } from "./membership/ending.ts";
import { othersNamespaces, removalConflicts } from "./membership/offboarding/removalConflicts.ts";
import { newlyInGrace, refusedRemovals } from "./membership/offboarding/removals.ts";
import { lostRoutes, obstacles, withoutRoute } from "./membership/ownership.ts";
import { knownElsewhere, mayBeKnownElsewhere, ownMembers, targetedElsewhere } from "./membership/shards.ts";
import { madeForNobody } from "./membership/unrecorded.ts";
import type { Refusal } from "./messages/finding.ts";
import { type Plan, planFor, planStack } from "./plan.ts";
import { type PathTransfers, pathTransfers } from "./routes/pathTransfers.ts";

/** Input of a run. */
export interface RunRequest {
  /** All members of the list. */
  readonly list: readonly Member[];
  readonly target: Target;
  readonly settings: Settings;
}

/** Plan of one run. */
export interface Run {
  /** For all members of the stack. */
  readonly plan: Plan;
  /** For the targeted members. */
  readonly targeted: Plan;
  readonly target: Target;
  /** Logical names that the run doesn't register: their objects are gone with a namespace that is being deleted. */
  readonly gone: ReadonlySet<string>;
  readonly pathTransfers: PathTransfers;
  /** Refusals for the targeted members, as far as the cluster alone shows them. */
  readonly obstacles: readonly Refusal[];
}

/** The request with its members as they are at a moment. */
export function requestAt(asked: RunRequest, snapshot: Pick<ClusterSnapshot, "managedObjects">, now: Date): RunRequest {
  const list = atMoment(asked.list, snapshot, now);
  const as = new Map(asked.list.map((member, at) => [member, list[at] ?? member]));
  const members = asked.target.members.map((member) => as.get(member) ?? member);
  return { ...asked, list, target: { ...asked.target, members } };
}

/** Whether planning a run needs Pulumi's state: only if a member's namespace is being deleted, or may have been. */
export const planNeedsState = (asked: RunRequest, snapshot: ClusterSnapshot): boolean => {
  const members = targetedOf(asked, snapshot);
  return (
    mayHaveBeen(members, asked.settings, snapshot).length > 0 ||
    members.some((member) => isOursEnding(member, asked.settings, snapshot))
  );
};

/** @param last logical names in Pulumi's state; undefined if unknown or not needed */
export function planRun(asked: RunRequest, read: ClusterSnapshot, last: ReadonlySet<string> | undefined): Run {
  const { list, settings } = asked;
  const members = targetedOf(asked, read);
  const forgotten = halfForgotten(mayHaveBeen(members, settings, read), settings, read, last);
  const snapshot = { ...read, forgotten };
  const ending = endingOf(members, settings, snapshot, last);
  const target = { ...asked.target, members: members.filter((member) => !ending.leftOut.has(member)) };
  const plan = planStack(list, settings, snapshot);
  const meant = new Set(target.members);
  const targeted = planFor(plan, (member) => meant.has(member));
  const transfers = pathTransfers(targeted, target);
  const inTheWay = [...ending.refused, ...obstacles(targeted)];
  return { plan, targeted, target, gone: ending.gone, pathTransfers: transfers, obstacles: inTheWay };
}

/** The stack's own members that a run targets. */
function targetedOf({ list, target, settings }: RunRequest, snapshot: ClusterSnapshot): Member[] {
  const own = new Set(ownMembers(list, settings, snapshot));
  return target.members.filter((member) => own.has(member));
}

/** Answers from Pulumi's state; each undefined if it could not be read or is not needed. */
interface StateAnswers {
  /** Logical names. */
  readonly names?: ReadonlySet<string> | undefined;
  readonly members?: KnownMembers | undefined;
}

/** Whether a refusal depends on Pulumi's state: reading it takes a second for a big stack. */
export const refusalsNeedState = ({ list, target, settings }: RunRequest, { targeted }: Run): boolean =>
  losable({ list, target, settings }, targeted.snapshot).length > 0 ||
  withoutRoute(targeted).length > 0 ||
  (target.isWhole && mayBeKnownElsewhere(list, settings, targeted.snapshot).length > 0);

/**
 * Whether a warning depends on Pulumi's state: about missing objects, and objects of no member.
 */
export const warningsNeedState = ({ targeted, target }: Pick<Run, "targeted" | "target">): boolean =>
  mayBeMissing(targeted).length > 0 || (target.isWhole && madeForNobody(targeted).length > 0);

/**
 * Everything that keeps a run from touching the cluster. Obstacles of members that it doesn't target don't count; the
 * limit of removals counts all removed members, whichever the run removes.
 */
export function refusals(asked: RunRequest, run: Run, { names, members }: StateAnswers): Refusal[] {
  const { list, target, settings } = asked;
  const { targeted } = run;
  const { snapshot } = targeted;
  const suspends = newlyInGrace(list, snapshot).some((left) => target.members.some(({ name }) => name === left));
  return [
    ...run.obstacles,
    ...lostRoutes(targeted, names),
    ...run.pathTransfers.obstacles,
    ...(removes(target) || suspends ? refusedRemovals(list, settings, snapshot) : []),
    ...lostToStrangers(asked, snapshot, members),
    ...(target.isWhole
      ? knownElsewhere(mayBeKnownElsewhere(list, settings, snapshot), settings, names)
      : [...targetedElsewhere(target.members, settings, snapshot), ...unguarded(targeted)]),
  ];
}

/**
 * Names of namespaces that a run might delete although the stack no longer owns them: Pulumi deletes those in its state,
 * whoever owns them.
 */
export const losable = (
  { list, target, settings }: RunRequest,
  snapshot: Pick<ClusterSnapshot, "namespaces">,
): string[] =>
  othersNamespaces(list, settings, snapshot).filter((name) => target.isWhole || target.removedMembers.includes(name));

function lostToStrangers(asked: RunRequest, snapshot: ClusterSnapshot, known: KnownMembers | undefined): Refusal[] {
  const { list, target, settings } = asked;
  const others = losable(asked, snapshot);
  if (others.length === 0) {
    return [];
  }
  if (target.isWhole && known === undefined) {
    // Only namespaces with a stack's label count: others are on every cluster, and hardly ever were a member's.
    const claimed = others.filter((name) => snapshot.namespaces.get(name)?.labels[stackLabel] !== undefined);
    return claimed.length === 0
      ? []
      : [{ code: "unknownRemovals", facts: { members: claimed, stack: settings.stack } }];
  }
  // Pulumi's state has every removed member that a run targets.
  const leaving = others.filter((name) => !target.isWhole || known?.has(name));
  return removalConflicts(new Map(leaving.map((name) => [name, known?.get(name)])), list, settings, snapshot);
}
