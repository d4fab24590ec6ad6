import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import { type Classified, classifiedIn } from "./compare/classify.ts";
import { isRead, sharedObjects } from "./manifest/manifest.ts";
import type { PlannedObject, ReadObject } from "./manifest/row.ts";
import { type Decisive, type MemberPlan, planMember } from "./memberPlan.ts";
import { type RemovedMember, removedMembers } from "./membership/offboarding/removedMembers.ts";
import { ownMembers } from "./membership/shards.ts";

/** What there is to be of some of a stack's members, and of the cluster what it was planned by. */
export interface Planned<Live = unknown> {
  readonly settings: Settings;
  readonly snapshot: Live;
  /** What all members share. */
  readonly shared: readonly PlannedObject[];
  /** What of that the program reads, and how it stands. */
  readonly classified: readonly Classified<ReadObject>[];
  readonly members: readonly MemberPlan[];
}

/** Everything that one look at the cluster comes to. It is made once, and handed on. */
export interface Plan extends Planned<ClusterSnapshot> {
  /** All members, also those whom other shards of a split list have. */
  readonly list: readonly Member[];
  /** Who has objects of the stack and is not in the list any more. */
  readonly removedMembers: readonly RemovedMember[];
}

/** @param own whom of the list the stack has. Default: all, unless the list is split */
export function planStack(
  list: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
  own: readonly Member[] = ownMembers(list, settings, snapshot),
): Plan {
  return {
    ...planMembers(own, settings, snapshot),
    list,
    removedMembers: removedMembers(list, settings, snapshot),
  };
}

/** Likewise by what the watch follows, which does not tell of those who have left. */
export const planMembers = <Live extends Decisive>(
  members: readonly Member[],
  settings: Settings,
  snapshot: Live,
): Planned<Live> => {
  const shared = sharedObjects(settings);
  return {
    settings,
    snapshot,
    shared,
    classified: shared.filter(isRead).map((object) => classifiedIn(object, snapshot)),
    members: members.map((member) => planMember(member, settings, snapshot)),
  };
};

/** The same plan for some of its members. */
export const planFor = <T extends Planned>(plan: T, isMeant: (member: Member) => boolean): T => ({
  ...plan,
  members: plan.members.filter(({ member }) => isMeant(member)),
});
