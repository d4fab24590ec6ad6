import { isDeviceClass } from "../../../config/member/confinement.ts";
import type { Member } from "../../../config/member/member.ts";
import { countQuantity, cpuQuantity, memoryQuantity } from "../../../objects/quantity.ts";
import type { Attempts } from "../admission/attempt.ts";
import { least, mayClaim, type Permitted } from "../admission/permitted.ts";
import { promisesPage } from "../pages.ts";

/** More than a quota has, and what its LimitRange refuses. */
export function ofShare({ pod, claim }: Permitted, member: Member): Attempts {
  const { limits, type } = member;
  const limited = (more: object) => pod({ container: { resources: { limits: { ...least, ...more } } } });
  const sized = (mebibytes: number, spec: object = {}) =>
    claim({ spec: { resources: { requests: { storage: memoryQuantity(mebibytes) } }, ...spec } });
  const { maxEphemeralStorageMiB: disk, maxPersistentVolumeClaimMiB: volume } = limits;
  const devices = Object.entries(type.devices ?? {}).filter(([device]) => !isDeviceClass(device));
  const storage = Object.entries(type.storage ?? {});
  return {
    promise: "Nobody exceeds their share of CPU, memory, storage and devices",
    page: promisesPage,
    attempts: {
      "ran a pod with more CPU than the quota": limited({ cpu: cpuQuantity(limits.maxCpuMillicores + 1) }),
      "ran a pod with more memory than the quota": limited({ memory: memoryQuantity(limits.maxMemoryMiB + 1) }),
      "ran a pod with more disk than the quota": limited({ "ephemeral-storage": memoryQuantity(disk + 1) }),
      "ran a container with a CPU limit of zero": limited({ cpu: "0" }),
      ...Object.fromEntries(
        devices.map(([device, most]) => [
          `ran a pod with more than ${most} of ${device}`,
          limited({ [device]: countQuantity(most + 1) }),
        ]),
      ),
      ...(mayClaim(member) ? { "claimed a larger volume than allowed": sized(volume + 1) } : {}),
      ...Object.fromEntries(
        (mayClaim(member) ? storage : []).map(([storageClassName, most]) => [
          `claimed more than the quota of StorageClass ${storageClassName}`,
          sized(most + 1, { storageClassName }),
        ]),
      ),
    },
  };
}
