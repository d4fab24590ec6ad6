import type { V1ResourceQuota } from "@kubernetes/client-node";
import { type Kind, kindEntry, resourceOf } from "../../cluster/kinds/kinds.ts";
import { objectKey } from "../../cluster/kinds/objectName.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { groupResource } from "../../config/names/customKinds.ts";
import { namespaceName, resourceQuotaName } from "../../config/names/names.ts";
import { figures } from "../../objects/resourceQuota.ts";

/**
 * Why no more objects of a kind fit: the quota is full, by the API server's count, or will be after this run. A try
 * would fail the run for everybody. Undefined also without a quota that counts the kind.
 * `isAfterQuota`: they are made after this run has applied the quota, so that a raised limit counts.
 */
export function lackOfHeadroom(
  member: Pick<Member, "name" | "type" | "limits" | "buckets">,
  kind: Kind,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  { more = 1, isAfterQuota = false }: { readonly more?: number; readonly isAfterQuota?: boolean } = {},
): string | undefined {
  const quota = managedObjects.get(quotaKey(member));
  const { hard = {}, used = {} } = (quota?.content as Pick<V1ResourceQuota, "status"> | undefined)?.status ?? {};
  const { apiVersion, plural } = kindEntry(kind);
  const resource = `count/${groupResource(resourceOf(kind), apiVersion)}`;
  const [most = "", now = ""] = [hard[resource], used[resource]];
  const [live = Number.POSITIVE_INFINITY, count = 0] = [quantityValue(most), quantityValue(now)];
  const { objects } = member.limits;
  const own = Math.min(objects, quantityValue(figures(member.limits)[resource] ?? "") ?? objects);
  const limit = isAfterQuota && member.type.quota ? Math.max(live, own) : live;
  // A run may lower a quota before or after it makes objects, so the lower limit counts. The limits of ConfigMaps and
  // Secrets are above the member's own.
  const isHeld = member.type.quota && kind !== "ConfigMap" && kind !== "Secret";
  const headroom = Math.min(limit, isHeld ? own : Number.POSITIVE_INFINITY);
  return count + more <= headroom
    ? undefined
    : `the quota holds ${count} ${plural} of ${headroom}; delete one, or have maxObjects raised${own < objects ? ", of which two fifths count here" : ""}`;
}

export const quotaKey = (member: Pick<Member, "name">): string =>
  objectKey("ResourceQuota", resourceQuotaName, namespaceName(member));
