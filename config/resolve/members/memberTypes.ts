import { byName, defined, given, present } from "../../model/maps.ts";
import { limitsBy, type MemberLimits } from "../../model/members/limits.ts";
import type { Member } from "../../model/members/member.ts";
import {
  type Confinement,
  isFilledIn,
  type MemberType,
  type Pool,
  poolName,
  type Toleration,
  usesClaims,
} from "../../model/members/memberTypes.ts";
import { builtInMemberTypes, defaultTraits } from "../../model/settings/defaults.ts";
import type { Valid } from "../../schema/issues.ts";
import type { LimitsEntry, MemberEntry, MemberTypeEntry } from "../../schema/members/member.ts";
import type { SettingsEntry } from "../../schema/settings.ts";
import { sizeMiB } from "../../schema/values.ts";

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

/**
 * Policies that types and members need. Counts types without members too, so that a stack's policies don't come and go
 * with its members. Undefined if none is needed.
 */
export function confinementOf(
  types: Iterable<MemberType>,
  members: readonly Pick<Member, "type">[],
): Confinement | undefined {
  const all = [...types, ...members.map(({ type }) => type)];
  const counted = all.filter(({ devices }) => devices !== undefined);
  const pools = new Map(all.flatMap(({ pool }) => (pool === undefined ? [] : [[poolName(pool), pool]])));
  const isAny = (has: (type: MemberType) => unknown) => all.some(has) || undefined;
  const confinement: Confinement = defined({
    devices: counted.length === 0 ? undefined : { claims: counted.some(usesClaims) },
    storage: isAny(({ storage }) => storage),
    runtimes: isAny(({ runtimeClasses }) => runtimeClasses),
    pools: pools.size === 0 ? undefined : [...pools.keys()].sort().flatMap((name) => pools.get(name) ?? []),
    users: isAny(({ userNamespaces }) => userNamespaces),
    fillsIn: isAny(isFilledIn),
  });
  return Object.keys(confinement).length === 0 ? undefined : confinement;
}
