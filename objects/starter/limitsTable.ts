import type { Member } from "../../config/member/member.ts";
import { countQuantity, cpuQuantity, memoryQuantity } from "../quantity.ts";
import { figures } from "../resourceQuota.ts";

/** A member's limits as a table in Markdown. Without a quota, only limits of single volumes and containers. */
export function limitsTable({ limits, type }: Pick<Member, "limits" | "type">): string {
  const sums = [
    ["CPU of all containers", cpuQuantity(limits.maxCpuMillicores)],
    ["memory of all containers", memoryQuantity(limits.maxMemoryMiB)],
    ["what they write outside of volumes", memoryQuantity(limits.maxEphemeralStorageMiB)],
    ["pods", countQuantity(limits.pods)],
    ["volumes (PersistentVolumeClaims)", countQuantity(limits.persistentVolumeClaims)],
    ["Services, and as many autoscalers", figures(limits)["count/services"] ?? ""],
    ["objects of most other kinds", countQuantity(limits.objects)],
  ];
  const each = [
    ["size of a volume", memoryQuantity(limits.maxPersistentVolumeClaimMiB)],
    ["CPU of a container that states none", cpuQuantity(limits.defaultCpuMillicores)],
    ["memory of a container that states none", memoryQuantity(limits.defaultMemoryMiB)],
  ];
  const rows = [...(type.quota ? sums : []), ...each];
  return ["| what | at most |", "|---|---|", ...rows.map(([what, most]) => `| ${what} | ${most} |`)].join("\n");
}
