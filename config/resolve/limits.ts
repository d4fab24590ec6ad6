import type { LimitsEntry, MemberEntry, SettingsEntry } from "../model/entries.ts";
import type { MemberLimits } from "../model/settings.ts";
import type { Valid } from "../schema/issues.ts";
import { builtInLimits } from "../schema/member.ts";

/** Each figure from the first of the entries that has it, or else the operator's. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const first = (...keys: readonly (keyof LimitsEntry)[]) =>
    entries.flatMap((entry) => keys.map((key) => entry?.[key])).find((figure) => figure !== undefined);
  return {
    maxCpuMillicores: first("maxCPUm") ?? builtInLimits.maxCPUm,
    maxMemoryMiB: first("maxMemoryMiB") ?? builtInLimits.maxMemoryMiB,
    defaultCpuMillicores: first("defaultCPUm") ?? builtInLimits.defaultCPUm,
    defaultMemoryMiB: first("defaultMemoryMiB", "defaultMemoryMB") ?? builtInLimits.defaultMemoryMiB,
    persistentVolumeClaims: first("numOfPVCs") ?? builtInLimits.numOfPVCs,
    maxPersistentVolumeClaimMiB: first("maxPVCSizeMiB") ?? builtInLimits.maxPVCSizeMiB,
    pods: first("maxPods") ?? builtInLimits.maxPods,
    objects: first("maxObjects") ?? builtInLimits.maxObjects,
    maxEphemeralStorageMiB: first("maxEphemeralStorageMiB") ?? builtInLimits.maxEphemeralStorageMiB,
    defaultEphemeralStorageMiB: first("defaultEphemeralStorageMiB") ?? builtInLimits.defaultEphemeralStorageMiB,
  };
}

/** What a member's limits come to: their own figures, then their type's, then the stack's. */
export function memberLimitsOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): MemberLimits {
  return limitsOf(entry, typeEntryOf(entry, stack)?.defaults, stack.defaults);
}

/** What the stack says of a member's type, if it does. */
export function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
}
