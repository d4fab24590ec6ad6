import type { SettingsEntry, TypeEntry } from "../model/entries.ts";
import { whole } from "../model/maps.ts";
import { builtInMemberTypes } from "../model/memberTypes.ts";
import type { MemberType } from "../model/settings.ts";
import type { Valid } from "../schema/issues.ts";
import { standardTraits } from "../schema/member.ts";

/** The types that a stack has: the built-in ones as it changes them, and its own. */
export function memberTypesOf({ memberTypes = {} }: Valid<SettingsEntry>): ReadonlyMap<string, MemberType> {
  const types = new Map<string, MemberType>(Object.entries(builtInMemberTypes));
  for (const [name, entry] of Object.entries(memberTypes)) {
    types.set(name, withTraits(types.get(name) ?? { name, ...standardTraits }, entry ?? {}));
  }
  return types;
}

/** A type as somebody has it who differs from it. */
export function withTraits(type: MemberType, entry: Valid<TypeEntry>): MemberType {
  return {
    name: type.name,
    home: entry.home ?? type.home,
    others: entry.others ?? type.others,
    quota: entry.quota ?? type.quota,
    podSecurity: entry.podSecurity ?? type.podSecurity,
    priorityClasses: entry.priorityClasses === undefined ? type.priorityClasses : whole(entry.priorityClasses),
  };
}
