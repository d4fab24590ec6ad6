import type { MemberLimits } from "../model/limits.ts";
import type { StarterSettings } from "../model/settings.ts";

/** What pods of a starter app take of one of a member's figures, and how much there is of it. */
export interface StarterShare {
  /** The figure's key, as settings have it. */
  readonly key: "maxCPUm" | "maxMemoryMiB" | "maxPods" | "maxEphemeralStorageMiB";
  /** What each pod takes. */
  readonly each: number;
  readonly most: number;
  /** Such as `MiB of memory`. */
  readonly unit: string;
  /** Settings that make it less, beside `starter.replicas`. */
  readonly less: readonly string[];
}

/** All that a quota holds of a pod of the starter's. What it may write outside of volumes, the LimitRange says. */
export function starterShares(
  { cpuMillicores, memoryMiB }: Pick<StarterSettings, "cpuMillicores" | "memoryMiB">,
  limits: MemberLimits,
): StarterShare[] {
  return [
    {
      key: "maxCPUm",
      each: cpuMillicores,
      most: limits.maxCpuMillicores,
      unit: "thousandths of a CPU",
      less: ["starter.cpuMillicores"],
    },
    {
      key: "maxMemoryMiB",
      each: memoryMiB,
      most: limits.maxMemoryMiB,
      unit: "MiB of memory",
      less: ["starter.memoryMiB"],
    },
    { key: "maxPods", each: 1, most: limits.pods, unit: "pods", less: [] },
    {
      key: "maxEphemeralStorageMiB",
      each: limits.defaultEphemeralStorageMiB,
      most: limits.maxEphemeralStorageMiB,
      unit: "MiB of ephemeral storage",
      less: ["defaultEphemeralStorageMiB"],
    },
  ];
}

/** Whether so many pods of the starter's fit into a member's quota, if nothing else is in it. */
export const starterFits = (starter: StarterSettings, limits: MemberLimits, pods: number): boolean =>
  starterShares(starter, limits).every(({ each, most }) => pods * each <= most);
