import type { Owned } from "../../../cluster/read/owners.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import { defaultOffboarding } from "../../../config/model/defaults.ts";
import type { Member } from "../../../config/model/member.ts";
import type { Settings } from "../../../config/model/settings.ts";
import type { Finding } from "../../messages/finding.ts";
import { familyRemovedMembers, onTheirWay } from "./removedMembers.ts";

/**
 * Refuses to remove protected members, and more members than `maxRemovals`, as the list may be truncated. A member with
 * nothing left but a namespace that is being deleted was removed by an earlier run, and doesn't count. In a sharded list,
 * each shard counts the removals from all.
 */
export function refusedRemovals(
  members: readonly Member[],
  settings: Settings,
  snapshot: Owned & Pick<ClusterSnapshot, "id">,
): Finding<"protectedRemoval" | "tooManyRemovals">[] {
  if (settings.cluster.id !== undefined && settings.cluster.id !== snapshot.id) {
    // Another cluster stops the run by itself, and its members are not this stack's.
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

/** An emptied file looks like an empty list, which therefore needs `maxRemovals`. */
function limitOf(members: readonly Member[], { offboarding }: Settings): number {
  return offboarding.maxRemovals ?? (members.length === 0 ? 0 : defaultOffboarding.maxRemovals);
}
