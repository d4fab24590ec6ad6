import type { MemberLimits } from "../../model/members/limits.ts";
import type { StarterSettings } from "../../model/settings/settings.ts";

/** A starter app's use of one of a member's figures. */
export interface StarterShare {
  /** The figure's key in the settings. */
  readonly key: "maxCPUm" | "maxMemoryMiB" | "maxPods" | "maxEphemeralStorageMiB";
  /** Use of one pod; `most` is the limit. */
  readonly each: number;
  readonly most: number;
  /** Such as `MiB of memory`. */
  readonly unit: string;
  /** Settings that reduce it, besides `starter.replicas`. */
  readonly less: readonly string[];
}

/** Shares of all figures that a quota counts for a starter pod. Its ephemeral storage comes from the LimitRange. */
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

/** Whether this many starter pods fit into a member's otherwise empty quota. */
export const starterFits = (starter: StarterSettings, limits: MemberLimits, pods: number): boolean =>
  starterShares(starter, limits).every(({ each, most }) => pods * each <= most);
