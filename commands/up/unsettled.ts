import { isDeepStrictEqual } from "node:util";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { restlessMembers } from "../../cluster/write/pods.ts";
import { isMap } from "../../config/model/maps.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { targetAll } from "../../config/model/target.ts";
import { additionsToMembers } from "../../plan/compare/additions.ts";
import { Drift } from "../../plan/compare/drift.ts";
import { managersIn } from "../../plan/decisions/unread/lastState.ts";
import { waitedFor } from "../../plan/decisions/waiting.ts";
import { statusesOf } from "../../plan/findings/status.ts";
import { adopting } from "../../plan/membership/adoption/adopt.ts";
import { formerlyManaged, severallyManaged } from "../../plan/membership/adoption/formerManagers.ts";
import { ownedByOthers } from "../../plan/membership/adoption/owners.ts";
import { isEnding } from "../../plan/membership/ending.ts";
import type { Look } from "./look.ts";

/** For whom a run does something that no resource shows, or says something else in the stack's outputs. */
export function unsettled(look: Look): string[] {
  const { settings, members, snapshot, state } = look;
  const { members: reported } = state.outputs;
  const retold = Object.entries(outputsOf(look).members).filter(
    ([name, status]) => !isDeepStrictEqual(settled(Reflect.get(Object(reported), name)), settled(status)),
  );
  return [
    ...restlessMembers(members, snapshot).map(({ member }) => member),
    ...waitedFor(members, settings, snapshot).map(({ member }) => member.name),
    ...ownedMembers(members, settings, snapshot),
    ...formerlyManagedMembers(look),
    ...markedMembers(look),
    ...retold.map(([name]) => name),
  ];
}

/** Whether the stack's outputs differ in anything at all, such as who is told of. */
export function isReportedOtherwise(look: Look): boolean {
  const { members, pending } = outputsOf(look);
  const { members: reported = {}, pending: reportedPending = [] } = look.state.outputs;
  const allSettled = (statuses: object) =>
    Object.fromEntries(Object.entries(statuses).map(([name, status]) => [name, settled(status)]));
  return !isDeepStrictEqual([allSettled(Object(reported)), reportedPending], [allSettled(members), pending]);
}

/** Somebody for whom a run can be made that is about nobody: any run writes all outputs anew. None where there is nobody. */
export function someone(look: Look): string[] {
  const { members, pending } = outputsOf(look);
  return [...pending, ...Object.keys(members)].slice(0, 1);
}

/** A status without what comes and goes by itself: how many pods of a starter app are ready is no reason for a run. */
function settled(status: unknown): unknown {
  const { starter } = Object(status);
  return isMap(starter) ? { ...Object(status), starter: { ...starter, available: 0 } } : status;
}

interface Outputs {
  readonly members: Readonly<Record<string, { readonly state: string }>>;
  readonly pending: readonly string[];
}

/** As they reach the state: without what is undefined. */
function outputsOf({ settings, members, snapshot }: Look): Outputs {
  const text = JSON.stringify(statusesOf(members, targetAll(members), settings, snapshot));
  const statuses = JSON.parse(text) as Outputs["members"];
  return { members: statuses, pending: Object.keys(statuses).filter((name) => statuses[name]?.state === "pending") };
}

/** Whose objects somebody has given an owner, which a run takes off. */
function ownedMembers(members: readonly Member[], settings: Settings, snapshot: ClusterSnapshot): string[] {
  const isOwned = (some: readonly Member[]) => ownedByOthers(some, settings, snapshot).length > 0;
  return isOwned(members) ? members.filter((member) => isOwned([member])).map(({ name }) => name) : [];
}

/** Whose objects have fields of earlier runs, which a run takes off. */
function formerlyManagedMembers({ settings, members, snapshot, state }: Look): string[] {
  if (severallyManaged(members, settings, snapshot).length === 0) {
    return [];
  }
  const known = managersIn(state.resources);
  const countOf = (some: readonly Member[]) => formerlyManaged(some, settings, snapshot, known).length;
  const shared = countOf([]);
  return members.filter((member) => countOf([member]) > shared).map(({ name }) => name);
}

/** Who has something beside what is declared that a run takes off, as of a Service, which shows in no resource. */
function markedMembers({ settings, members, snapshot }: Look): string[] {
  const drift = new Drift(snapshot, new Set(), adopting(members));
  return (
    members
      // Of a namespace that is being deleted, a run takes nothing off.
      .filter((member) => !isEnding(member, snapshot))
      .filter((member) => additionsToMembers([member], settings, snapshot, drift).length > 0)
      .map(({ name }) => name)
  );
}
