import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Sleeper } from "../../cluster/write/wakeUp.ts";
import type { Member } from "../../config/model/members/member.ts";
import { hasQuota } from "../../config/model/members/memberTypes.ts";
import { isBetween } from "../decisions/sleep.ts";

/** Members of whom the run has more to do than to write objects, as they fall asleep or have woken. */
export const sleepersIn = (members: readonly Member[], snapshot: Pick<ClusterSnapshot, "managedObjects">): Sleeper[] =>
  members
    .filter((member) => isBetween(member, snapshot))
    .map((member) => ({ member: member.name, since: member.sleep?.since, keepsQuota: hasQuota(member) }));
