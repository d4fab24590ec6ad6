import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../config/model/maps.ts";
import { additionsToMembers } from "../../plan/compare/additions.ts";
import { statusesOf } from "../../plan/findings/status.ts";
import type { MemberPlan } from "../../plan/memberPlan.ts";
import { formerlyManaged, severallyManaged } from "../../plan/membership/adoption/formerManagers.ts";
import { ownedByOthers } from "../../plan/membership/adoption/owners.ts";
import { isEnding } from "../../plan/membership/ending.ts";
import { restlessMembers } from "../../plan/membership/restless.ts";
import { waitedFor } from "../../plan/waiting.ts";
import type { Look } from "./look.ts";

const nameOf = ({ member }: MemberPlan) => member.name;

/** For whom a run does something that no resource shows, or says something else in the stack's outputs. */
export function unsettled(look: Look): string[] {
  const { members, snapshot } = look;
  const { members: reported } = look.state.outputs;
  const restated = Object.entries(outputsOf(look).members).filter(
    ([name, status]) => !isDeepStrictEqual(settled(Reflect.get(Object(reported), name)), settled(status)),
  );
  return [
    ...restlessMembers(
      members.map(({ member }) => member),
      snapshot,
    ).map(({ member }) => member),
    ...waitedFor(look).map(({ member }) => member.name),
    ...ownedMembers(look),
    ...formerlyManagedMembers(look),
    ...markedMembers(look),
    ...restated.map(([name]) => name),
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
function outputsOf(look: Look): Outputs {
  const text = JSON.stringify(statusesOf(look));
  const statuses = JSON.parse(text) as Outputs["members"];
  return { members: statuses, pending: Object.keys(statuses).filter((name) => statuses[name]?.state === "pending") };
}

/** Whose objects somebody has given an owner, which a run takes off. */
function ownedMembers(look: Look): string[] {
  const isOwned = (members: Look["members"]) => ownedByOthers({ ...look, members }).length > 0;
  return isOwned(look.members) ? look.members.filter((each) => isOwned([each])).map(nameOf) : [];
}

/** Whose objects have fields of earlier runs, which a run takes off. */
function formerlyManagedMembers(look: Look): string[] {
  if (severallyManaged(look).length === 0) {
    return [];
  }
  const countOf = (members: Look["members"]) => formerlyManaged({ ...look, members }, look.state.objects).length;
  const shared = countOf([]);
  return look.members.filter((each) => countOf([each]) > shared).map(nameOf);
}

/** Who has something beside what is declared that a run takes off, as of a Service, which shows in no resource. */
function markedMembers({ members, snapshot }: Look): string[] {
  return (
    members
      // Of a namespace that is being deleted, a run takes nothing off.
      .filter(({ member }) => !isEnding(member, snapshot))
      .filter((plan) => additionsToMembers([plan]).length > 0)
      .map(nameOf)
  );
}
