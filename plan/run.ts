import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import { removes, type Target } from "../config/model/target.ts";
import { stackLabel } from "../naming/labels.ts";
import { mayBeMissing } from "./compare/missing.ts";
import { unguarded } from "./compare/unguarded.ts";
import type { KnownMembers } from "./decisions/unread/lastState.ts";
import { severallyManaged } from "./membership/adoption/formerManagers.ts";
import { endingOf, halfForgotten, isOursEnding, mayHaveBeen } from "./membership/ending.ts";
import { othersNamespaces, removalConflicts } from "./membership/offboarding/removalConflicts.ts";
import { refusedRemovals } from "./membership/offboarding/removals.ts";
import { lostRoutes, obstacles, withoutRoute } from "./membership/ownership.ts";
import { knownElsewhere, mayBeKnownElsewhere, ownMembers, targetedElsewhere } from "./membership/shards.ts";
import { madeForNobody } from "./membership/unrecorded.ts";
import type { Refusal } from "./messages/finding.ts";
import { type Plan, planFor, planStack } from "./plan.ts";
import { type HandedPaths, handedPaths } from "./routes/handedPaths.ts";

/** What a run is told to be about. */
export interface RunRequest {
  /** All members. */
  readonly list: readonly Member[];
  readonly target: Target;
  readonly settings: Settings;
}

/** What one run is to do. */
export interface Run {
  /** Of all whom the stack has. */
  readonly plan: Plan;
  /** Of those whom the run is about. */
  readonly targeted: Plan;
  readonly target: Target;
  /** Logical names of what is not registered of those whose namespace is being deleted, since it is not there any more. */
  readonly gone: ReadonlySet<string>;
  readonly handed: HandedPaths;
  /** What stands in its way, as far as the cluster alone tells and those are concerned whom it is about. */
  readonly obstacles: readonly Refusal[];
}

/** Whether it takes Pulumi's state to plan a run: only where somebody's namespace is being deleted, or may have been. */
export const planNeedsState = (asked: RunRequest, snapshot: ClusterSnapshot): boolean => {
  const members = targetedOf(asked, snapshot);
  return (
    mayHaveBeen(members, asked.settings, snapshot).length > 0 ||
    members.some((member) => isOursEnding(member, asked.settings, snapshot))
  );
};

/** @param last logical names of what Pulumi's state has; undefined where that is not known, or not needed */
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
  const handed = handedPaths(targeted, target);
  const inTheWay = [...ending.refused, ...obstacles(targeted)];
  return { plan, targeted, target, gone: ending.gone, handed, obstacles: inTheWay };
}

/** Those of the stack's own members whom a run targets. */
function targetedOf({ list, target, settings }: RunRequest, snapshot: ClusterSnapshot): Member[] {
  const own = new Set(ownMembers(list, settings, snapshot));
  return target.members.filter((member) => own.has(member));
}

/** What Pulumi's state has, each undefined where it could not be read, or nothing depends on it. */
export interface StateAnswers {
  /** Logical names. */
  readonly names?: ReadonlySet<string> | undefined;
  readonly members?: KnownMembers | undefined;
}

/** Whether only Pulumi's state tells if a run may go on: to ask it takes a second of a big stack. */
export const refusalsNeedState = ({ list, target, settings }: RunRequest, { targeted }: Run): boolean =>
  losable({ list, target, settings }, targeted.snapshot).length > 0 ||
  withoutRoute(targeted).length > 0 ||
  (target.isWhole && mayBeKnownElsewhere(list, settings, targeted.snapshot).length > 0);

/** Whether only Pulumi's state tells what there is to say: of what is gone, is nobody's, or has fields of several runs. */
export const warningsNeedState = ({ targeted, target }: Pick<Run, "targeted" | "target">): boolean =>
  severallyManaged(targeted).length > 0 ||
  mayBeMissing(targeted).length > 0 ||
  (target.isWhole && madeForNobody(targeted).length > 0);

/**
 * Everything that keeps a run from touching the cluster. What stands in the way of somebody whom it
 * does not target doesn't stop it; how many leave is counted of all, whomever it removes.
 */
export function refusals(asked: RunRequest, run: Run, { names, members }: StateAnswers): Refusal[] {
  const { list, target, settings } = asked;
  const { targeted } = run;
  const { snapshot } = targeted;
  return [
    ...run.obstacles,
    ...lostRoutes(targeted, names),
    ...run.handed.obstacles,
    ...(removes(target) ? refusedRemovals(list, settings, snapshot) : []),
    ...lostToStrangers(asked, snapshot, members),
    ...(target.isWhole
      ? knownElsewhere(mayBeKnownElsewhere(list, settings, snapshot), settings, names)
      : [...targetedElsewhere(target.members, settings, snapshot), ...unguarded(targeted)]),
  ];
}

/**
 * Names of the namespaces that a run might delete, and that are not its stack's by now: Pulumi would delete those that its
 * state has, whose they ever are.
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
    // A stranger's is there on every cluster, and hardly ever was a member's.
    const claimed = others.filter((name) => snapshot.namespaces.get(name)?.labels[stackLabel] !== undefined);
    return claimed.length === 0
      ? []
      : [{ code: "unknownRemovals", facts: { members: claimed, stack: settings.stack } }];
  }
  // Who leaves in a run that targets them, Pulumi does know.
  const leaving = others.filter((name) => !target.isWhole || known?.has(name));
  return removalConflicts(new Map(leaving.map((name) => [name, known?.get(name)])), list, settings, snapshot);
}
