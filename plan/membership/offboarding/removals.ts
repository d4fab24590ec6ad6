import type { Owned } from "../../../cluster/read/owners.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { Member } from "../../../config/member/member.ts";
import { leavesLabel } from "../../../config/names/labels.ts";
import { defaultOffboarding } from "../../../config/offboarding.ts";
import type { Settings } from "../../../config/settings.ts";
import { compare } from "../../../config/values/sentences.ts";
import type { Finding } from "../../messages/finding.ts";
import { familyRemovedMembers, onTheirWay } from "./removedMembers.ts";

/**
 * Refuses to remove protected members, and to remove or newly suspend more members who left the list than `maxRemovals`,
 * as the list may be truncated. A member with nothing left but a namespace that is being deleted was removed by an earlier
 * run, and doesn't count. In a sharded list, each shard counts those of all.
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
  const suspended = newlyInGrace(members, snapshot);
  const names = [...leaving.map(({ name }) => name), ...suspended].sort(compare);
  const kept = leaving.filter(({ protect }) => protect).map(({ name }) => name);
  const listed = members.filter(({ leaves }) => leaves === undefined);
  const limit = limitOf(listed, settings);
  const { stack, shards, offboarding } = settings;
  const facts = {
    ...{ members: names, limit, isListEmpty: listed.length === 0, suspends: suspended.length },
    ...{ stack, family: shards?.family, maxRemovals: offboarding.maxRemovals },
  };
  return [
    ...(kept.length > 0 ? [{ code: "protectedRemoval", facts: { members: kept } } as const] : []),
    ...(names.length > limit ? [{ code: "tooManyRemovals", facts } as const] : []),
  ];
}

/** Members who left the list, whose day of removal no run has written down yet: this run would end their pods. */
export const newlyInGrace = (members: readonly Member[], { namespaces }: Pick<Owned, "namespaces">): string[] =>
  members
    .filter(({ name, leaves }) => leaves !== undefined && namespaces.get(name)?.labels[leavesLabel] === undefined)
    .map(({ name }) => name);

/** An emptied file looks like an empty list, which therefore needs `maxRemovals`. */
function limitOf(members: readonly Member[], { offboarding }: Settings): number {
  return offboarding.maxRemovals ?? (members.length === 0 ? 0 : defaultOffboarding.maxRemovals);
}
