import { nameLines } from "../../../cluster/kinds/nameList.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { useOf } from "../../../config/rules/rules.ts";
import { memberLabel, stackLabel } from "../../../naming/labels.ts";
import type { KnownMembers } from "../../decisions/unread/lastState.ts";
import { familyRemovedMembers } from "./removedMembers.ts";

/**
 * Why a run may not remove some of those whom Pulumi's state has and the list has not: their namespace is somebody else's by
 * now, or nothing on the cluster says any more that it is this stack's. What the state has is deleted whatever labels say.
 * @param leaving whom the run would remove
 * @returns an obstacle each, with the way out
 */
export function removalConflicts(
  leaving: KnownMembers,
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): string[] {
  const known = new Set(familyRemovedMembers(members, settings, snapshot).map(({ name }) => name));
  return [...leaving].flatMap(([name, uid]) => {
    const home = snapshot.namespaces.get(name);
    const stack = home?.labels[stackLabel];
    // Deleted by hand and made anew under its name; a refresh has the state take the new one for the old one.
    const isAnother = stack === undefined && uid !== undefined && home?.uid !== undefined && uid !== home.uid;
    const isOthers = !known.has(name) || isAnother || (stack !== undefined && stack !== settings.stack);
    if (home === undefined || home.terminating || !isOthers) {
      return [];
    }
    const whose = isAnother
      ? `is another one by now, without the label ${stackLabel}`
      : stack === undefined
        ? `has lost the label ${stackLabel}`
        : `has the label ${stackLabel}: ${stack}`;
    return [
      `'${name}' is no longer in the list, Pulumi's state has their namespace, and that ${whose}: removing them would delete it.
    If it is to go: kubectl label namespace ${name} ${stackLabel}=${settings.stack} ${memberLabel}=${name} --overwrite
    If it is to stay: put '${name}' back into the list; or have this stack forget what it made of it, resource by resource:
      pulumi stack --show-urns --stack ${settings.stack}
      pulumi state delete URN --stack ${settings.stack}`,
    ];
  });
}

/**
 * Names of the namespaces that are not this stack's by their labels, and that an old state may have all the same: those of
 * other stacks' members and of strangers, and not those that no member can have.
 */
export function othersNamespaces(
  members: readonly Member[],
  settings: Settings,
  { namespaces }: Pick<ClusterSnapshot, "namespaces">,
): string[] {
  const listed = new Set(members.map(({ name }) => name));
  return [...namespaces].flatMap(([name, { labels, terminating }]) => {
    const isOurs = labels[stackLabel] === settings.stack && labels[memberLabel] === name;
    return isOurs || terminating || listed.has(name) || useOf(name, settings) !== undefined ? [] : [name];
  });
}

/** Why a run may remove nobody while nothing can tell whom it would. */
export function unknownRemovedMembers(names: readonly string[], { stack }: Pick<Settings, "stack">): string {
  return `Pulumi's state of this stack could not be read, and may have namespaces that are not its own by now, which the run would delete:
${nameLines(names, "      ")}
    Find out why this fails, and run again: pulumi stack export --stack ${stack}`;
}
