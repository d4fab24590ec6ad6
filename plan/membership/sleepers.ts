import { type ClusterSnapshot, objectKey } from "../../cluster/read/snapshot/snapshot.ts";
import type { Sleeper } from "../../cluster/write/wakeUp.ts";
import type { Member } from "../../config/model/members/member.ts";
import { hasQuota, mayRun } from "../../config/model/members/standing.ts";
import { standingLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { isBetween } from "../decisions/sleep.ts";

type Live = Pick<ClusterSnapshot, "managedObjects">;

/** Members of whom the run has more to do than to write objects, as they fall asleep, have woken, or come back. */
export const sleepersIn = (members: readonly Member[], snapshot: Live): Sleeper[] =>
  members.flatMap((member): Sleeper[] => {
    const sleeper = { member: member.name, since: member.sleep?.since, keepsQuota: hasQuota(member) };
    if (isBetween(member, snapshot)) {
      return [sleeper];
    }
    return comesBack(member, snapshot) ? [{ ...sleeper, wasSuspended: true }] : [];
  });

/** Whether the member was suspended or expired until now. */
function comesBack(member: Member, { managedObjects }: Live): boolean {
  const home = managedObjects.get(objectKey("Namespace", namespaceName(member)));
  const was = home?.terminating === true ? undefined : home?.labels[standingLabel];
  return mayRun(member) && (was === "suspended" || was === "expired");
}
