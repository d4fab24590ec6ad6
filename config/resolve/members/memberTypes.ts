import { defined, present } from "../../model/maps.ts";
import type { MemberType } from "../../model/members/memberTypes.ts";
import type { Pool, Toleration } from "../../model/members/pool.ts";
import { builtInMemberTypes, defaultTraits } from "../../model/settings/defaults.ts";
import type { Valid } from "../../schema/issues.ts";
import type { MemberTypeEntry } from "../../schema/members/member.ts";
import type { SettingsEntry } from "../../schema/settings.ts";
import { sizeMiB } from "../../schema/values.ts";
import { byName, given } from "../given.ts";

/** Types of a stack: the built-in ones with the stack's changes, and its own. */
export function memberTypesOf({ memberTypes = {} }: Valid<SettingsEntry>): ReadonlyMap<string, MemberType> {
  const types = new Map<string, MemberType>(Object.entries(builtInMemberTypes));
  for (const [name, entry] of Object.entries(memberTypes)) {
    types.set(name, withTraits(types.get(name) ?? { name, ...defaultTraits }, entry ?? {}));
  }
  return types;
}

/** The type with the traits that an entry changes. */
export function withTraits(
  type: MemberType,
  entry: Valid<Pick<MemberTypeEntry, keyof MemberType & keyof MemberTypeEntry>>,
): MemberType {
  const { priorityClasses, devices, storage, runtimeClasses, pool } = entry;
  return {
    ...type,
    ...given(entry, "home", "others", "quota", "podSecurity", "userNamespaces"),
    ...defined({
      priorityClasses: priorityClasses && present(priorityClasses),
      devices: devices && byName(devices, (number) => number),
      storage: storage && byName(storage, sizeMiB),
      runtimeClasses: runtimeClasses && {
        allowed: present(runtimeClasses.allowed),
        ...given(runtimeClasses, "default"),
      },
      pool: pool && poolOf(pool),
    }),
  };
}

function poolOf({ nodeSelector = {}, tolerations = [] }: Valid<NonNullable<MemberTypeEntry["pool"]>>): Pool {
  return {
    nodeSelector: byName(nodeSelector, (value) => value),
    tolerations: tolerations.flatMap((toleration): Toleration[] => {
      const { key, operator = "Equal", value = "" } = toleration ?? {};
      // A toleration without a valid key is a mistake.
      return key === undefined
        ? []
        : [{ key, operator, ...(operator === "Equal" ? { value } : {}), ...given(toleration ?? {}, "effect") }];
    }),
  };
}
