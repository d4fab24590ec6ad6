import type { Candidate, Rule, RuleContext } from "../rule.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { when } from "../values/maps.ts";
import type { RawMistake } from "../values/mistakes.ts";
import { sizesMiB } from "../values/values.ts";
import { type LimitsEntry, limitFigures, limitsOf, type MemberLimits } from "./limits.ts";
import type { Member, MemberEntry } from "./member.ts";
import { typeEntryOf, withTraits } from "./types.ts";

export type Quota = Pick<Member, "name" | "type" | "limits">;

/** Each from the entry, then the type, then the stack; a claim may be as large as the largest StorageClass allows. */
export function memberLimitsOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): MemberLimits {
  const ofType = typeEntryOf(entry, stack);
  const storage = entry.storage ?? ofType?.storage;
  const ofClasses = storage && { maxPVCSizeMiB: Math.max(0, ...Object.values(sizesMiB(storage))) };
  return limitsOf(entry, ofType?.defaults, stack.defaults, ofClasses);
}

/** Without a quota, no maximum applies, and nothing counts towards the capacity. */
export function isQuotaDeclared({ entry, wrong }: Candidate, { types }: Pick<RuleContext, "types">): boolean {
  const type = types.get(entry.type ?? "");
  return type !== undefined && !wrong.has("quota") && (entry.quota ?? type.quota);
}

export const quotasIn = (all: RuleContext): (Quota & Pick<Member, "labels">)[] =>
  all.candidates.flatMap((candidate) => {
    const { index, entry } = candidate;
    const type = isQuotaDeclared(candidate, all) ? all.types.get(entry.type ?? "") : undefined;
    const { member: name = all.placeOf(index), labels = {} } = entry;
    return type === undefined
      ? []
      : [{ name, labels, type: withTraits(type, entry), limits: memberLimitsOf(entry, all.entry) }];
  });

/** Each contradiction is reported once, where it is set: the stack's defaults, a type's, or a member's entry. */
export const limitsRule: Rule = (all) => {
  const { defaults = {}, memberTypes = {} } = all.entry;
  return [
    ...contradictions(["defaults"], defaults, limitsOf(defaults)),
    ...Object.entries(memberTypes).flatMap(([name, type]) => {
      const own = type?.defaults ?? {};
      return all.types.get(name)?.quota === true
        ? contradictions(["memberTypes", name, "defaults"], own, limitsOf(own, defaults))
        : [];
    }),
    ...all.candidates.flatMap((candidate) => {
      const { index, entry } = candidate;
      const ofType = all.types.get(entry.type ?? "")?.quota === true;
      return isQuotaDeclared(candidate, all)
        ? contradictions(["members", index], entry, memberLimitsOf(entry, all.entry), ofType ? undefined : "quota")
        : [];
    }),
  ];
};

const pairs = [
  { most: "maxCpuMillicores", standard: "defaultCpuMillicores", standardKeys: ["defaultCPUm"] },
  { most: "maxMemoryMiB", standard: "defaultMemoryMiB", standardKeys: ["defaultMemoryMiB", "defaultMemoryMB"] },
  {
    most: "maxEphemeralStorageMiB",
    standard: "defaultEphemeralStorageMiB",
    standardKeys: ["defaultEphemeralStorageMiB"],
  },
] as const;

const consequence = "so that no container would fit";

/** Contradictions of figures, at the key that an entry sets. @param cause key that makes inherited figures count */
function contradictions(
  at: readonly PropertyKey[],
  entry: LimitsEntry,
  limits: MemberLimits,
  cause?: "quota",
): readonly RawMistake[] {
  return pairs.flatMap(({ most, standard, standardKeys }) => {
    const mostKey = limitFigures[most].key;
    const set = standardKeys.find((key) => entry[key] !== undefined);
    const [much, little] = [limits[most], limits[standard]];
    const mistake = (key: string, message: RawMistake["message"]) =>
      when(much < little, { path: [...at, key], message });
    if (entry[mostKey] !== undefined) {
      const key = set ?? standardKeys[0];
      return mistake(mostKey, (show) => `${show(much)} is below ${key} (${show(little)}), ${consequence}`);
    }
    if (set !== undefined) {
      return mistake(set, (show) => `${show(little)} is above ${mostKey} (${show(much)}), ${consequence}`);
    }
    return cause === undefined
      ? []
      : mistake(
          cause,
          (show) =>
            `makes ${mostKey} (${show(much)}) count, which is below ${standardKeys[0]} (${show(little)}), ${consequence}`,
        );
  });
}
