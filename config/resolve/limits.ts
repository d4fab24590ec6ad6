import { limitsBy, type MemberLimits } from "../model/limits.ts";
import type { Valid } from "../schema/issues.ts";
import type { LimitsEntry, MemberEntry } from "../schema/member.ts";
import type { SettingsEntry } from "../schema/settings.ts";

/** Each figure from the first of the entries that has it, or else the operator's. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const given = entries.map((entry = {}) => new Map(Object.entries(entry)));
  return limitsBy(
    ({ key, also = key, default: otherwise }) =>
      given.flatMap((entry) => [entry.get(key), entry.get(also)]).find((figure) => figure !== undefined) ?? otherwise,
  );
}

/** What a member's limits come to: their own figures, then their type's, then the stack's. */
export function memberLimitsOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): MemberLimits {
  return limitsOf(entry, typeEntryOf(entry, stack)?.defaults, stack.defaults);
}

/** What the stack says of a member's type, if it does. */
export function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
}
