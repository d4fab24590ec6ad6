import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { type Classified, classifiedIn } from "../live/classify.ts";
import { type RemovedMember, removedMembers } from "../live/removedMembers.ts";
import { isRead, sharedObjects } from "../rows/manifest.ts";
import type { PlannedObject, ReadObject } from "../rows/row.ts";
import { type Decisive, type MemberPlan, planMember } from "./memberPlan.ts";

export interface Planned<Live = unknown> {
  readonly settings: Settings;
  readonly snapshot: Live;
  readonly shared: readonly PlannedObject[];
  readonly classified: readonly Classified<ReadObject>[];
  readonly members: readonly MemberPlan[];
}

/** Everything that follows from one look at the cluster; made once and passed on. */
export interface Plan extends Planned<ClusterSnapshot> {
  /** All members, including those of other shards. */
  readonly list: readonly Member[];
  readonly removedMembers: readonly RemovedMember[];
}

export const planStack = (
  list: readonly Member[],
  own: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): Plan => ({
  ...planMembers(own, settings, snapshot),
  list,
  removedMembers: removedMembers(list, settings, snapshot),
});

/** The same for the watch's snapshot, which doesn't show removed members. */
export const planMembers = <Live extends Decisive>(
  members: readonly Member[],
  settings: Settings,
  snapshot: Live,
): Planned<Live> => {
  const shared = sharedObjects(settings, snapshot);
  return {
    settings,
    snapshot,
    shared,
    classified: shared.filter(isRead).map((object) => classifiedIn(object, snapshot)),
    members: members.map((member) => planMember(member, settings, snapshot)),
  };
};

export const planFor = <T extends Planned>(plan: T, isMeant: (member: Member) => boolean): T => ({
  ...plan,
  members: plan.members.filter(({ member }) => isMeant(member)),
});
