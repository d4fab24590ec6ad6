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
  const confinement: Confinement = {
    ...(counted.length === 0 ? {} : { devices: { claims: counted.some(usesClaims) } }),
    ...(all.some(({ storage }) => storage !== undefined) ? { storage: true } : {}),
    ...(all.some(({ runtimeClasses }) => runtimeClasses !== undefined) ? { runtimes: true } : {}),
    ...(pools.size === 0 ? {} : { pools: [...pools.keys()].sort().flatMap((name) => pools.get(name) ?? []) }),
    ...(all.some(({ userNamespaces }) => userNamespaces !== undefined) ? { users: true } : {}),
    ...(all.some(isFilledIn) ? { fillsIn: true } : {}),
  };
  return Object.keys(confinement).length === 0 ? undefined : confinement;
}
