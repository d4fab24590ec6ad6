import type { Candidate, RulesContext } from "../rule.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { type RawMistake, valueMistake } from "../values/mistakes.ts";
import { sizeMiB } from "../values/values.ts";
import { type LimitsEntry, limitsOf, type MemberLimits, storageMiB } from "./limits.ts";
import type { Member, MemberEntry } from "./member.ts";
import { typeEntryOf, withTraits } from "./types.ts";

type Held = Pick<Member, "type" | "limits">;

/**
 * Mistakes: limits that contradict each other, each reported once where it is set (the stack's defaults, a type's, or a
 * member's entry); and quotas that exceed the cluster's capacity.
 */
export function figureFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { defaults = {}, memberTypes = {}, capacity = {} } = context.entry;
  const findings = contradictions(["defaults"], defaults, limitsOf(defaults));
  for (const [name, type] of Object.entries(memberTypes)) {
    const own = type?.defaults ?? {};
    if (context.types.get(name)?.quota === true) {
      findings.push(...contradictions(["memberTypes", name, "defaults"], own, limitsOf(own, defaults)));
    }
  }
  const held = candidates.filter((candidate) => isQuotaDeclared(candidate, context));
  const limits = held.map(({ entry }) => memberLimitsOf(entry, context.entry));
  for (const [at, { index, entry }] of held.entries()) {
    const ofType = context.types.get(entry.type ?? "")?.quota === true;
    findings.push(...contradictions(["members", index], entry, limits[at] ?? limitsOf(), ofType ? undefined : "quota"));
  }
  const quotas = held.flatMap(({ entry }, at): Held[] => {
    const type = context.types.get(entry.type ?? "");
    return type === undefined ? [] : [{ type: withTraits(type, entry), limits: limits[at] ?? limitsOf() }];
  });
  return [...findings, ...capacityFindings(capacity, quotas)];
}

/** Without a quota, no maximum applies, and nothing counts towards the capacity. */
export function isQuotaDeclared({ entry, wrong }: Candidate, { types }: RulesContext): boolean {
  const type = entry.type === undefined ? undefined : types.get(entry.type);
  return type !== undefined && !wrong.has("quota") && (entry.quota ?? type.quota);
}

/** A maximum, the default that must not exceed it, and the keys that set either. */
const pairs = [
  { most: "maxCpuMillicores", mostKey: "maxCPUm", standard: "defaultCpuMillicores", standardKeys: ["defaultCPUm"] },
  {
    most: "maxMemoryMiB",
    mostKey: "maxMemoryMiB",
    standard: "defaultMemoryMiB",
    standardKeys: ["defaultMemoryMiB", "defaultMemoryMB"],
  },
  {
    most: "maxEphemeralStorageMiB",
    mostKey: "maxEphemeralStorageMiB",
    standard: "defaultEphemeralStorageMiB",
    standardKeys: ["defaultEphemeralStorageMiB"],
  },
] as const;

const consequence = "so that no container would fit";

/**
 * Figures that contradict each other, reported at the key that an entry sets.
 * @param at path of the entry
 * @param limits the entry's limits after inheritance
 * @param cause key of the entry that makes inherited figures count
 */
function contradictions(
  at: readonly PropertyKey[],
  entry: LimitsEntry,
  limits: MemberLimits,
  cause?: "quota",
): RawMistake[] {
  const findings: RawMistake[] = [];
  for (const { most, mostKey, standard, standardKeys } of pairs) {
    const set = standardKeys.find((key) => entry[key] !== undefined);
    const [much, little] = [limits[most], limits[standard]];
    if (!(much < little)) {
      continue;
    }
    if (entry[mostKey] !== undefined) {
      const key = set ?? standardKeys[0];
      findings.push({
        path: [...at, mostKey],
        message: (show) => `${show(much)} is below ${key} (${show(little)}), ${consequence}`,
      });
    } else if (set !== undefined) {
      findings.push({
        path: [...at, set],
        message: (show) => `${show(little)} is above ${mostKey} (${show(much)}), ${consequence}`,
      });
    } else if (cause !== undefined) {
      // Reported only here: the figures of a type without a quota contradict nothing.
      findings.push({
        path: [...at, cause],
        message: (show) =>
          `makes ${mostKey} (${show(much)}) count, which is below ${standardKeys[0]} (${show(little)}), ${consequence}`,
      });
    }
  }
  return findings;
}

/** A quota's share of each figure of the capacity. */
const shares = {
  cpuMillicores: ({ limits }: Held) => limits.maxCpuMillicores,
  memoryMiB: ({ limits }: Held) => limits.maxMemoryMiB,
  storageMiB,
} as const;

/** The sum leaves out invalid figures: a sum that is too high without them is too high with them. */
function capacityFindings(
  capacity: NonNullable<Valid<SettingsEntry>["capacity"]>,
  quotas: readonly Held[],
): RawMistake[] {
  return (["cpuMillicores", "memoryMiB", "storageMiB"] as const).flatMap((figure) => {
    const most = capacity[figure];
    const known = quotas.map(shares[figure]).filter((share) => !Number.isNaN(share));
    const sum = known.reduce((total, share) => total + share, 0);
    const whose = known.length === 1 ? "the quota of a member" : `the sum of the quotas of ${known.length} members`;
    return most === undefined || most >= sum
      ? []
      : [valueMistake(["capacity", figure], most, `is less than ${whose} (${sum})`)];
  });
}

/**
 * A member's limits: each from the member's entry, then the type's, then the stack's. Without a figure, a claim may be as
 * large as the largest StorageClass allows.
 */
export function memberLimitsOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): MemberLimits {
  const ofType = typeEntryOf(entry, stack);
  const storage = entry.storage ?? ofType?.storage;
  const ofClasses =
    storage === undefined ? undefined : { maxPVCSizeMiB: Math.max(0, ...Object.values(storage).map(sizeMiB)) };
  return limitsOf(entry, ofType?.defaults, stack.defaults, ofClasses);
}
