import { keyOf } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Move } from "../../cluster/write/stackLabel.ts";
import { stackLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { sharedObjects } from "../manifest/manifest.ts";
import { policyObjectsOf } from "../manifest/policyObjects.ts";

/**
 * Why a member can't be transferred to a stack yet: no member may be without the policies that judge their objects.
 * @returns the reason with a solution; undefined if nothing is in the way
 */
export function transferObstacle(
  { member, from, to }: Move,
  settings: Settings,
  { namespaces, managedObjects, mutates }: Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "mutates">,
): string | undefined {
  const home = namespaces.get(member);
  if (home === undefined || home.terminating || home.labels[stackLabel] !== from) {
    return `their namespace is not whole; stack '${from}' has to be brought up first`;
  }
  const policies = policyObjectsOf({ shared: sharedObjects({ ...settings, stack: to }, mutates) });
  return policies.some((object) => !managedObjects.has(keyOf(object)))
    ? `the policies of stack '${to}' are not in force yet; it has to be brought up first`
    : undefined;
}
