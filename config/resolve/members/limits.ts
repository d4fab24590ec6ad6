import { limitsBy, type MemberLimits } from "../../model/members/limits.ts";
import type { Valid } from "../../schema/issues.ts";
import type { LimitsEntry, MemberEntry } from "../../schema/members/member.ts";
import type { SettingsEntry } from "../../schema/settings.ts";
import { sizeMiB } from "../../schema/values.ts";

/** Each figure from the first entry that has it, or else its default. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const given = entries.map((entry): Partial<Record<string, number>> => entry ?? {});
  return limitsBy(({ key, also = key, default: otherwise }) => {
    const first = given.find((entry) => entry[key] !== undefined || entry[also] !== undefined) ?? {};
    return first[key] ?? first[also] ?? otherwise;
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

/** The stack's entry for a member's type; undefined if there is none. */
export function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
}
