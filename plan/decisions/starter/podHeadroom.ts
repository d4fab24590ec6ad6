import type { V1ResourceQuota } from "@kubernetes/client-node";
import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../../config/model/members/member.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { type StarterShare, starterFits, starterShares } from "../../../config/rules/features/starterShares.ts";
import { quotaKey } from "../quotaHeadroom.ts";

const mebibyte = 1024 ** 2;

/** Quota resource of each figure, and the figure's unit as a multiple of the resource's. */
const resources: Readonly<Record<StarterShare["key"], readonly [resource: string, unit: number]>> = {
  maxCPUm: ["limits.cpu", 1 / 1000],
  maxMemoryMiB: ["limits.memory", mebibyte],
  maxPods: ["pods", 1],
  maxEphemeralStorageMiB: ["limits.ephemeral-storage", mebibyte],
};

/**
 * Whether one pod more than the starter app's replicas fits into the member's quota beside its present use. Without a live
 * quota, nothing is in use.
 */
export function hasHeadroomForPod(
  member: Pick<Member, "name" | "type" | "limits">,
  { starter }: Pick<Settings, "starter">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): boolean {
  if (!member.type.quota) {
    return true;
  }
  const quota = managedObjects.get(quotaKey(member));
  const { hard = {}, used = {} } = (quota?.content as Pick<V1ResourceQuota, "status"> | undefined)?.status ?? {};
  const fits = (resource: string, more: number, most: number) => {
    const live = quantityValue(hard[resource] ?? "") ?? Number.POSITIVE_INFINITY;
    const now = quantityValue(used[resource] ?? "") ?? 0;
    return now + more <= Math.min(live, most) * (1 + Number.EPSILON);
  };
  return (
    starterFits(starter, member.limits, starter.replicas + 1) &&
    fits("count/pods", 1, Number.POSITIVE_INFINITY) &&
    starterShares(starter, member.limits).every(({ key, each, most }) => {
      const [resource, unit] = resources[key];
      return fits(resource, each * unit, most * unit);
    })
  );
}
