import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { Member } from "../../../config/member/member.ts";
import { usedByCluster } from "../../../config/member/names.ts";
import { memberLabel, stackLabel } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import type { KnownMembers } from "../../decide/knownState.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Disowned } from "../../messages/refusals/refusalFacts.ts";
import { familyRemovedMembers } from "./removedMembers.ts";

/**
 * Why a run may not remove some members that Pulumi's state has and the list has not: their namespace is somebody else's by
 * now, or has lost the stack's label. Pulumi deletes what is in its state, whatever the labels say.
 * @param leaving members whom the run would remove
 */
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
    const disowned: Disowned = isAnother
      ? { why: "another" }
      : stack === undefined
        ? { why: "unlabelled" }
        : { why: "labelled", label: stack };
    return [{ code: "removalConflict", member: name, facts: { stack: settings.stack, disowned } }];
  });
}

/**
 * Names of namespaces that an old state may have although their labels name another stack, or none. Leaves out the
 * cluster's own, but not what others usually install: a member may have had such a name.
 */
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
