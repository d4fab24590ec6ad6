import type { Member, MemberLimits, Settings } from "../../config/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { namespaceName, resourceQuotaName } from "../../naming/names.ts";
import { cpuQuantity, memoryQuantity } from "./quantity.ts";

/**
 * The sums that a member's pods and volumes stay within, if their type has a quota. Services that would open a port of
 * the cluster are not for members, so their number is zero. While the member is suspended or expired, so is the number
 * of pods, whatever the type.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export function resourceQuota(member: Member, settings: Settings) {
  const hard: Readonly<Record<string, string>> = {
    ...(member.type.quota ? figures(member.limits) : {}),
    ...(member.standing === "active" ? {} : { pods: "0" }),
  };
  return {
    metadata: {
      name: resourceQuotaName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
    },
    spec: { hard },
  };
}

function figures(limits: MemberLimits) {
  return {
    "limits.cpu": cpuQuantity(limits.maxCpuMillicores),
    "limits.memory": memoryQuantity(limits.maxMemoryMiB),
    persistentvolumeclaims: String(limits.persistentVolumeClaims),
    "requests.storage": memoryQuantity(limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB),
    "services.loadbalancers": "0",
    "services.nodeports": "0",
  };
}
