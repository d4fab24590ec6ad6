import type { Owned } from "../../cluster/read/owners.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { usedByCluster } from "../../config/member/names.ts";
import { leavesLabel, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { defaultOffboarding } from "../../config/offboarding.ts";
import type { Settings } from "../../config/settings.ts";
import { compare } from "../../config/values/sentences.ts";
import type { KnownMembers } from "../live/knownState.ts";
import { familyRemovedMembers, onTheirWay } from "../live/removedMembers.ts";
import type { Finding } from "../words/finding.ts";
import type { Disowned } from "../words/offboarding.ts";

/** The list may be truncated. Members with only a namespace that is being deleted don't count; a shard counts all. */
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

/** Namespaces that are somebody else's by now, or have lost the label: Pulumi deletes what its state has. */
export function removalConflicts(
  leaving: KnownMembers,
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): Finding<"removalConflict">[] {
  const known = new Set(familyRemovedMembers(members, settings, snapshot).map(({ name }) => name));
  return [...leaving].flatMap(([name, uid]) => {
    const home = snapshot.namespaces.get(name);
    const stack = home?.labels[stackLabel];
    // Deleted by hand and recreated: after a refresh, the state has the new namespace in place of the old one.
    const isAnother = stack === undefined && uid !== undefined && home?.uid !== undefined && uid !== home.uid;
    const isOthers = !known.has(name) || isAnother || (stack !== undefined && stack !== settings.stack);
    if (home === undefined || home.terminating || !isOthers) {
      return [];
    }
    const disowned: Disowned = isAnother ? { why: "another" } : disownedBy(stack);
    return [{ code: "removalConflict", member: name, facts: { stack: settings.stack, disowned } }];
  });
}

const disownedBy = (label: string | undefined): Disowned =>
  label === undefined ? { why: "unlabelled" } : { why: "labelled", label };

/** That an old state may have. Not the cluster's own, but what others install: a member may have had such a name. */
export function othersNamespaces(
  members: readonly Member[],
  settings: Settings,
  { namespaces }: Pick<ClusterSnapshot, "namespaces">,
): string[] {
  const listed = new Set(members.map(({ name }) => name));
  return [...namespaces].flatMap(([name, { labels, terminating }]) => {
    const isOurs = labels[stackLabel] === settings.stack && labels[memberLabel] === name;
    return isOurs || terminating || listed.has(name) || usedByCluster(name, settings) !== undefined ? [] : [name];
  });
}
