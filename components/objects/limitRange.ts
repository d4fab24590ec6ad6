import type { Member, Settings } from "../../config/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { limitRangeName, namespaceName } from "../../naming/names.ts";
import { cpuQuantity, memoryQuantity } from "./quantity.ts";

/**
 * What a container gets that states no resources (without it, a quota would refuse the pod), and how large a
 * PersistentVolumeClaim may be.
 * @see https://kubernetes.io/docs/concepts/policy/limit-range/
 */
export function limitRange(member: Member, settings: Settings) {
  const { limits } = member;
  const container = {
    cpu: cpuQuantity(limits.defaultCpuMillicores),
    memory: memoryQuantity(limits.defaultMemoryMiB),
  };
  return {
    metadata: {
      name: limitRangeName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
    },
    spec: {
      limits: [
        { type: "Container", default: container, defaultRequest: container },
        { type: "PersistentVolumeClaim", max: { storage: memoryQuantity(limits.maxPersistentVolumeClaimMiB) } },
      ],
    },
  };
}
