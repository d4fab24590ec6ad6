import type { Owned } from "../../../cluster/read/owners.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import { defaultOffboarding } from "../../../config/model/defaults.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import type { Finding } from "../../messages/finding.ts";
import { familyRemovedMembers, onTheirWay } from "./removedMembers.ts";

/**
 * Why a run may not remove those who leave: some are protected, or they are so many that the list looks truncated.
 * Whose namespace is all that is left and being deleted already was let go by an earlier run, and doesn't count. Of a list
 * that is split over stacks, all who leave any of them count for each.
 */
export function refusedRemovals(
  members: readonly Member[],
  settings: Settings,
  snapshot: Owned & Pick<ClusterSnapshot, "id">,
): Finding<"protectedRemoval" | "tooManyRemovals">[] {
  if (settings.cluster.id !== undefined && settings.cluster.id !== snapshot.id) {
    // Another cluster, which stops the run by itself: who is there is not this stack's to count.
    return [];
  }
  const leaving = familyRemovedMembers(members, settings, snapshot).filter((removed) => !onTheirWay(removed));
  const names = leaving.map(({ name }) => name);
  const kept = leaving.filter(({ protect }) => protect).map(({ name }) => name);
  const limit = limitOf(members, settings);
  const { stack, shards, offboarding } = settings;
  const facts = {
    ...{ members: names, limit, isListEmpty: members.length === 0 },
    ...{ stack, family: shards?.family, maxRemovals: offboarding.maxRemovals },
  };
  return [
    ...(kept.length > 0 ? [{ code: "protectedRemoval", facts: { members: kept } } as const] : []),
    ...(names.length > limit ? [{ code: "tooManyRemovals", facts } as const] : []),
  ];
}

/** An empty list is what an emptied file looks like: it takes an outright permission. */
function limitOf(members: readonly Member[], { offboarding }: Settings): number {
  return offboarding.maxRemovals ?? (members.length === 0 ? 0 : defaultOffboarding.maxRemovals);
}
