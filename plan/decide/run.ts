import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { stackLabel } from "../../config/names/labels.ts";
import type { Configuration } from "../../config/settings.ts";
import { staffAt } from "../../config/staff.ts";
import { atMoment } from "../decisions/sleep.ts";
import { removes, type Target } from "../decisions/target.ts";
import type { KnownMembers, KnownObjects, KnownState } from "../live/knownState.ts";
import { mutatesAsLast } from "../live/unread.ts";
import { endingOf, halfForgotten } from "../members/ending.ts";
import { unguarded } from "../members/missing.ts";
import { type PathTransfers, pathTransfers } from "../members/pathTransfers.ts";
import { type Plan, planFor, planStack } from "../members/plan.ts";
import { ownMembers } from "../members/shards.ts";
import { knownElsewhere } from "../members/transfers.ts";
import type { Refusal } from "../words/finding.ts";
import { lostRoutes, obstacles } from "./obstacles.ts";
import { newlyInGrace, othersNamespaces, refusedRemovals, removalConflicts } from "./removals.ts";

export interface Run {
  /** For all members of the stack. */
  readonly plan: Plan;
  readonly targeted: Plan;
  /** Without members of whom it registers nothing, since their namespace is being deleted. */
  readonly target: Target;
  /** The target with these members. */
  readonly asked: Target;
  /** Logical names that the run doesn't register: their objects are gone with a namespace that is being deleted. */
  readonly gone: ReadonlySet<string>;
  readonly pathTransfers: PathTransfers;
  readonly known: KnownObjects | undefined;
  /** Reasons to stop before the run touches the cluster; an offline preview has none. */
  readonly refusals: readonly Refusal[];
}

/** At a moment, which decides who is asleep, and whose lease as staff is over. @param state for unread lists; undefined if it could not be read */
export function planFrom(
  { members, settings }: Configuration,
  { unread, ...read }: ClusterSnapshot,
  state: Pick<KnownState, "names"> | undefined,
  now: Date,
): Plan {
  const missing = unread && { ...unread, last: state?.names };
  const snapshot = {
    ...read,
    mutates: mutatesAsLast(read, missing),
    ...(missing === undefined ? {} : { unread: missing }),
  };
  const list = atMoment(staffAt(members, settings, now), snapshot, now);
  const own = ownMembers(list, settings, snapshot);
  const forgotten = halfForgotten(own, settings, snapshot, state?.names);
  return planStack(list, own, settings, { ...snapshot, forgotten });
}

export function runFor(plan: Plan, asked: Target, state: KnownState | undefined): Run {
  const { settings, snapshot } = plan;
  const meant = new Set(asked.members);
  const members = plan.members.flatMap(({ member }) => (meant.has(member) ? [member] : []));
  const ending = endingOf(members, settings, snapshot, state?.names);
  const target = { ...asked, members: members.filter((member) => !ending.leftOut.has(member)) };
  const registered = new Set(target.members);
  const targeted = planFor(plan, (member) => registered.has(member));
  const run = { plan, targeted, target, asked, gone: ending.gone, pathTransfers: pathTransfers(targeted, target) };
  const isOffline = snapshot.unread?.offline === true;
  const refused = isOffline ? [] : [...ending.refused, ...refusals(run, state)];
  return { ...run, known: state?.objects, refusals: refused };
}

/** Obstacles of members that it doesn't target don't count; the limit of removals counts all removed members. */
function refusals(run: Pick<Run, "targeted" | "target" | "pathTransfers">, state: KnownState | undefined): Refusal[] {
  const { names, members } = state ?? {};
  const { targeted, target } = run;
  const { list, settings, snapshot } = targeted;
  const suspends = newlyInGrace(list, snapshot).some((left) => target.members.some(({ name }) => name === left));
  return [
    ...obstacles(targeted),
    ...lostRoutes(targeted, names),
    ...run.pathTransfers.obstacles,
    ...(removes(target) || suspends ? refusedRemovals(list, settings, snapshot) : []),
    ...lostToStrangers(targeted, target, members),
    ...(target.isWhole ? knownElsewhere(list, settings, snapshot, names) : unguarded(targeted)),
  ];
}

/** Pulumi deletes the namespaces in its state, whoever owns them. */
function lostToStrangers(
  { list, settings, snapshot }: Plan,
  target: Target,
  known: KnownMembers | undefined,
): Refusal[] {
  const others = othersNamespaces(list, settings, snapshot).filter(
    (name) => target.isWhole || target.removedMembers.includes(name),
  );
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
