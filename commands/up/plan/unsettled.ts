import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/model/maps.ts";
import { additionsToMembers } from "../../../plan/compare/additions.ts";
import { type MemberStatus, pendingIn, statusesOf } from "../../../plan/findings/status.ts";
import { ownedByOthers } from "../../../plan/membership/adoption/owners.ts";
import { isEnding } from "../../../plan/membership/ending.ts";
import { restlessMembers, sleepersIn } from "../../../plan/membership/restless.ts";
import { waitedFor } from "../../../plan/waiting.ts";
import type { Look } from "./knownState.ts";

/** Members who need a run although none of their resources differs: for work outside of resources, or for outputs. */
export function unsettled(look: Look): string[] {
  const { members, snapshot } = look;
  const own = members.map(({ member }) => member);
  /** Looks at each only if it is true of any. */
  const those = (is: (some: Look["members"]) => boolean) =>
    is(members) ? members.filter((each) => is([each])).map(({ member }) => member.name) : [];
  return [
    ...restlessMembers(own, snapshot).map(({ member }) => member),
    ...sleepersIn(own, snapshot).map(({ member }) => member),
    ...waitedFor(look).map(({ member }) => member.name),
    // A run removes foreign owners, and additions that no resource shows, as on a Service.
    ...those((some) => ownedByOthers({ ...look, members: some }).length > 0),
    // It removes nothing from a namespace that is being deleted.
    ...those((some) => additionsToMembers(some.filter(({ member }) => !isEnding(member, snapshot))).length > 0),
    ...restated(look),
  ];
}

/** Members whose outputs differ. */
function restated(look: Look): string[] {
  const { members: reported } = look.state.outputs;
  return Object.entries(outputsOf(look).members)
    .filter(([name, status]) => !isDeepStrictEqual(settled(Reflect.get(Object(reported), name)), settled(status)))
    .map(([name]) => name);
}

/** Whether the stack's outputs name other members, where those of none differ. */
export function isReportedOtherwise(look: Look): boolean {
  const { members, pending } = outputsOf(look);
  const { members: reported = {}, pending: reportedPending = [] } = look.state.outputs;
  return !isDeepStrictEqual(
    [new Set(Object.keys(Object(reported))), reportedPending],
    [new Set(Object.keys(members)), pending],
  );
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
