import type { Member } from "../config/member/member.ts";
import { limitRangeName } from "../config/names/names.ts";
import type { Settings } from "../config/settings.ts";
import { leastCpuMillicores } from "../config/values/values.ts";
import { cpu, type Fields, memory, propertyPath } from "./field.ts";
import { metadataOf } from "./metadata.ts";
import { cpuQuantity, memoryQuantity } from "./quantity.ts";

/**
 * Resources of a container that states none (a quota would refuse its pod otherwise), and the largest size of a
 * PersistentVolumeClaim. With a quota, also the least that a container has to state, as its request too: a limit of zero counts
 * for nothing in the quota, and means no limit to the node, which gives 10m where a limit says less.
 * @see https://kubernetes.io/docs/concepts/policy/limit-range/
 */
export function limitRange(member: Member, settings: Settings) {
  const { limits } = member;
  const container = {
    cpu: cpuQuantity(limits.defaultCpuMillicores),
    memory: memoryQuantity(limits.defaultMemoryMiB),
  };
  const written = "ephemeral-storage";
  return {
    metadata: metadataOf(limitRangeName, member, settings),
    spec: {
      limits: [
        {
          type: "Container",
          default: { ...container, [written]: memoryQuantity(limits.defaultEphemeralStorageMiB) },
          // Nothing is reserved: nodes that don't count such storage have none to give, and would take no pod.
          defaultRequest: { ...container, [written]: "0" },
          ...(member.type.quota ? { min: { cpu: cpuQuantity(leastCpuMillicores), memory: memoryQuantity(1) } } : {}),
        },
        { type: "PersistentVolumeClaim", max: { storage: memoryQuantity(limits.maxPersistentVolumeClaimMiB) } },
      ],
    },
  };
}

const ofContainer = (part: string, name: string) => propertyPath(["spec", "limits", "[Container]", part, name]);

export const limitRangeFields: Fields = {
  [ofContainer("default", "cpu")]: cpu("CPU of a container that states none"),
  [ofContainer("defaultRequest", "cpu")]: cpu("CPU of a container that states none"),
  [ofContainer("default", "memory")]: memory("memory of a container that states none"),
  [ofContainer("defaultRequest", "memory")]: memory("memory of a container that states none"),
  [ofContainer("default", "ephemeral-storage")]: memory("ephemeral storage of a container that states none"),
  [ofContainer("defaultRequest", "ephemeral-storage")]: memory("ephemeral storage that a container reserves"),
  [ofContainer("min", "cpu")]: cpu("least CPU that a container states"),
  [ofContainer("min", "memory")]: memory("least memory that a container states"),
  "spec.limits[PersistentVolumeClaim].max.storage": memory("largest PVC"),
};
