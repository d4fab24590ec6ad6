import { defined } from "../../model/maps.ts";
import type { Member } from "../../model/members/member.ts";
import type { Confinement, MemberType } from "../../model/members/memberTypes.ts";
import { isFilledIn, usesClaims } from "../../model/members/memberTypes.ts";
import { poolName } from "../../model/members/pool.ts";

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
