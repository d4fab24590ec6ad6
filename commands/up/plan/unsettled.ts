import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/model/maps.ts";
import { additionsToMembers } from "../../../plan/compare/additions.ts";
import { type MemberStatus, pendingIn, statusesOf } from "../../../plan/findings/status.ts";
import type { MemberPlan } from "../../../plan/memberPlan.ts";
import { ownedByOthers } from "../../../plan/membership/adoption/owners.ts";
import { isEnding } from "../../../plan/membership/ending.ts";
import { restlessMembers, sleepersIn } from "../../../plan/membership/restless.ts";
import { waitedFor } from "../../../plan/waiting.ts";
import type { Look } from "../look.ts";

const nameOf = ({ member }: MemberPlan) => member.name;

/** Members who need a run although none of their resources differs: for work outside of resources, or for outputs. */
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
    ...sleepersIn(
      members.map(({ member }) => member),
      snapshot,
    ).map(({ member }) => member),
    ...waitedFor(look).map(({ member }) => member.name),
    ...ownedMembers(look),
    ...markedMembers(look),
    ...restated.map(([name]) => name),
  ];
}

/** Whether the stack's outputs differ at all, for example in their members. */
export function isReportedOtherwise(look: Look): boolean {
  const { members, pending } = outputsOf(look);
  const { members: reported = {}, pending: reportedPending = [] } = look.state.outputs;
  const allSettled = (statuses: object) =>
    Object.fromEntries(Object.entries(statuses).map(([name, status]) => [name, settled(status)]));
  return !isDeepStrictEqual([allSettled(Object(reported)), reportedPending], [allSettled(members), pending]);
}

/** One member as the target of a run that only rewrites outputs: any run writes all of them. Empty without members. */
export function someone(look: Look): string[] {
  const { members, pending } = outputsOf(look);
  return [...pending, ...Object.keys(members)].slice(0, 1);
}

/** Drops the number of ready starter pods, which changes by itself and is no reason for a run. */
function settled(status: unknown): unknown {
  const { starter } = Object(status);
  return isMap(starter) ? { ...Object(status), starter: { ...starter, available: 0 } } : status;
}

interface Outputs {
  readonly members: Readonly<Record<string, MemberStatus>>;
  readonly pending: readonly string[];
}

/** JSON as in the state, without undefined values. */
function outputsOf(look: Look): Outputs {
  const text = JSON.stringify(statusesOf(look));
  const statuses = JSON.parse(text) as Outputs["members"];
  return { members: statuses, pending: pendingIn(statuses) };
}

/** Members with objects that have a foreign owner, which a run removes. */
function ownedMembers(look: Look): string[] {
  const isOwned = (members: Look["members"]) => ownedByOthers({ ...look, members }).length > 0;
  return isOwned(look.members) ? look.members.filter((each) => isOwned([each])).map(nameOf) : [];
}

/** Members with additions that a run removes and no resource shows, for example on a Service. */
function markedMembers({ members, snapshot }: Look): string[] {
  return (
    members
      // A run removes nothing from a namespace that is being deleted.
      .filter(({ member }) => !isEnding(member, snapshot))
      .filter((plan) => additionsToMembers([plan]).length > 0)
      .map(nameOf)
  );
}
