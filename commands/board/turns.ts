import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../config/model/members/member.ts";
import { nextSleeps } from "../../plan/decisions/sleep.ts";
import type { Turn } from "./model.ts";

/**
 * When members fall asleep or wake next, by name.
 * @param members as they are `atMoment`
 */
export function turnsOf(
  members: readonly Member[],
  live: Pick<ClusterSnapshot, "managedObjects">,
  now: Date,
): Map<string, Turn> {
  const zone = ({ schedule }: Member) => schedule?.timeZone ?? "UTC";
  const wakes = members.flatMap((member): [string, Turn][] =>
    member.sleep === undefined ? [] : [[member.name, { to: "awake", at: member.sleep.until, timeZone: zone(member) }]],
  );
  const sleeps = [...nextSleeps(members, live, now)].map(([member, at]): [string, Turn] => [
    member.name,
    { to: "asleep", at: at.toISOString(), timeZone: zone(member) },
  ]);
  return new Map([...wakes, ...sleeps]);
}
