import type { V1ResourceQuota } from "@kubernetes/client-node";
import { type Kind, kinds, resourceOf } from "../../cluster/kinds/kinds.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { type ClusterSnapshot, objectKey } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/model/settings.ts";
import { namespaceName, resourceQuotaName } from "../../naming/names.ts";

/**
 * Why one more object of a kind can't be made in a member's namespace: their quota is full, as the API server counts, or
 * will be by this run. To try all the same would fail, and with it the run for everybody else.
 * @param more how many are to be made
 * @param isAfterQuota whether they are made after this run has applied the quota, so that one that it raises counts
 * @returns undefined where there is room, no quota, or none that counts the kind
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/#object-count-quota
 */
export function lackOfHeadroom(
  member: Pick<Member, "name" | "type" | "limits" | "buckets">,
  kind: Kind,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  more = 1,
  isAfterQuota = false,
): string | undefined {
  const quota = managedObjects.get(quotaKey(member));
  const { hard = {}, used = {} } = (quota?.content as Pick<V1ResourceQuota, "status"> | undefined)?.status ?? {};
  const [group = ""] = kinds[kind].apiVersion.includes("/") ? kinds[kind].apiVersion.split("/") : [];
  const resource = `count/${resourceOf(kind)}${group === "" ? "" : `.${group}`}`;
  const [most = "", now = ""] = [hard[resource], used[resource]];
  const [live = Number.POSITIVE_INFINITY, count = 0] = [quantityValue(most), quantityValue(now)];
  const limit = isAfterQuota && member.type.quota ? Math.max(live, member.limits.objects) : live;
  // The run that lowers a quota does so in no order with what it makes. Of ConfigMaps and Secrets it holds more than a member
  // is given.
  const isHeld = member.type.quota && kind !== "ConfigMap" && kind !== "Secret";
  const headroom = Math.min(limit, isHeld ? member.limits.objects : Number.POSITIVE_INFINITY);
  return count + more <= headroom
    ? undefined
    : `the quota holds ${count} ${kinds[kind].plural} of ${headroom}; delete one, or have maxObjects raised`;
}

/** Key of the quota that a run makes for a member. */
export const quotaKey = (member: Pick<Member, "name">): string =>
  objectKey("ResourceQuota", resourceQuotaName, namespaceName(member));
