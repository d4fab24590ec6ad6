import type { Member, Settings } from "../../config/settings.ts";
import { stackLabel } from "../../naming/labels.ts";
import type { ClusterSnapshot } from "../snapshot.ts";
import { familyLeavers } from "./leavers.ts";

/**
 * Why a run may not remove some of those whom Pulumi's state has and the list has not: their namespace is somebody else's by
 * now, or nothing on the cluster says any more that it is this stack's. What the state has is deleted whatever labels say.
 * @param names whom the run would remove
 * @returns an obstacle each, with the way out
 */
export function othersNow(
  names: readonly string[],
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): string[] {
  const known = new Set(familyLeavers(members, settings, snapshot).map(({ name }) => name));
  return names.flatMap((name) => {
    const home = snapshot.namespaces.get(name);
    const stack = home?.labels[stackLabel];
    const isOthers = !known.has(name) || (stack !== undefined && stack !== settings.stack);
    if (home === undefined || home.terminating || !isOthers) {
      return [];
    }
    const whose = stack === undefined ? `has lost the label ${stackLabel}` : `has the label ${stackLabel}: ${stack}`;
    return [
      `'${name}' is no longer in the list, Pulumi's state has their namespace, and that ${whose}: removing them would delete it.
    If it is to go: kubectl label namespace ${name} ${stackLabel}=${settings.stack} --overwrite
    If it is to stay: put '${name}' back into the list; or have this stack forget what it made of it, resource by resource:
      pulumi stack --show-urns --stack ${settings.stack}
      pulumi state delete URN --stack ${settings.stack}`,
    ];
  });
}
