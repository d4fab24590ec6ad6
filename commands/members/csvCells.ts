import type { Cells } from "../common/csv.ts";
import type { groupJson, memberJson } from "./rows.ts";

type MemberJson = ReturnType<typeof memberJson>;
type GroupJson = ReturnType<typeof groupJson>;

/** A member's line for `-o csv`: numbers as in `-o json`, each in one unit, so that a spreadsheet can add them. */
export const memberCells = (member: MemberJson): Cells => ({
  stack: member.stack,
  member: member.member,
  namespace: member.namespace,
  type: member.type,
  ...prefixed("labels", member.labels ?? {}),
  state: member.state,
  reason: member.reason,
  url: member.url,
  expires: member.expires,
  leaves: member.leaves,
  protected: member.protected,
  podsUsed: member.pods.used,
  podsHard: member.pods.hard,
  persistentVolumeClaimsUsed: member.persistentVolumeClaims?.used ?? null,
  persistentVolumeClaimsHard: member.persistentVolumeClaims?.hard ?? null,
  ...figures(member),
});

/** A group's line for `-o csv`. */
export const groupCells = ({ label, value, members, withoutQuota, ...usage }: GroupJson): Cells => ({
  label,
  value,
  members,
  withoutQuota,
  ...figures(usage),
});

type Usage = "cpu" | "memory" | "storage" | "devices" | "storageClasses";

const figures = ({ cpu, memory, storage, devices, storageClasses }: Pick<GroupJson, Usage>): Cells => ({
  cpuUsedMillicores: cpu?.usedMillicores ?? null,
  cpuHardMillicores: cpu?.hardMillicores ?? null,
  memoryUsedBytes: memory?.usedBytes ?? null,
  memoryHardBytes: memory?.hardBytes ?? null,
  storageUsedBytes: storage?.usedBytes ?? null,
  storageHardBytes: storage?.hardBytes ?? null,
  ...byName("devices", devices, ["used", "hard"]),
  ...byName("storageClasses", storageClasses, ["usedBytes", "hardBytes"]),
});

const byName = (what: string, all: Readonly<Record<string, Cells | null>> | null, keys: readonly string[]): Cells =>
  Object.fromEntries(
    Object.entries(all ?? {}).flatMap(([name, of]) => keys.map((key) => [`${what}.${name}.${key}`, of?.[key] ?? null])),
  );

const prefixed = (what: string, texts: Readonly<Record<string, string>>): Cells =>
  Object.fromEntries(Object.entries(texts).map(([key, value]) => [`${what}.${key}`, value]));
