import type { Member, Settings } from "../../config/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { namespaceName, resourceQuotaName } from "../../naming/names.ts";
import { cpuQuantity, memoryQuantity } from "./quantity.ts";

/**
 * The sums that a member's pods and volumes stay within. Services that would open a port of the cluster are not for
 * members, so their number is zero.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export function resourceQuota(member: Member, settings: Settings) {
  const { limits } = member;
  return {
    metadata: {
      name: resourceQuotaName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
    },
    spec: {
      hard: {
        "limits.cpu": cpuQuantity(limits.maxCpuMillicores),
        "limits.memory": memoryQuantity(limits.maxMemoryMiB),
        persistentvolumeclaims: String(limits.persistentVolumeClaims),
        "requests.storage": memoryQuantity(limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB),
        "services.loadbalancers": "0",
        "services.nodeports": "0",
      },
    },
  };
}
