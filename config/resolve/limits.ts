import { defaultLimits } from "../model/defaults.ts";
import type { MemberLimits } from "../model/settings.ts";
import type { Valid } from "../schema/issues.ts";
import type { LimitsEntry, MemberEntry } from "../schema/member.ts";
import type { SettingsEntry } from "../schema/settings.ts";

/** Each figure from the first of the entries that has it, or else the operator's. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const first = (key: keyof typeof defaultLimits, also: keyof LimitsEntry = key) =>
    entries.flatMap((entry) => [entry?.[key], entry?.[also]]).find((figure) => figure !== undefined) ??
    defaultLimits[key];
  return {
    maxCpuMillicores: first("maxCPUm"),
    maxMemoryMiB: first("maxMemoryMiB"),
    defaultCpuMillicores: first("defaultCPUm"),
    defaultMemoryMiB: first("defaultMemoryMiB", "defaultMemoryMB"),
    persistentVolumeClaims: first("numOfPVCs"),
    maxPersistentVolumeClaimMiB: first("maxPVCSizeMiB"),
    pods: first("maxPods"),
    objects: first("maxObjects"),
    maxEphemeralStorageMiB: first("maxEphemeralStorageMiB"),
    defaultEphemeralStorageMiB: first("defaultEphemeralStorageMiB"),
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
