import type { Candidate, RulesContext } from "../rule.ts";
import type { Valid } from "../values/issues.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { isKubernetesOwn } from "./confinement.ts";
import { isQuotaDeclared } from "./figures.ts";
import type { MemberTypeEntry } from "./types.ts";

/** Traits that a quota counts. */
const counted = ["devices", "storage"] as const;

/**
 * Mistakes of types, and of members who differ from theirs: devices and StorageClasses without a quota to count them, and
 * a default that is not allowed, and taints that keep nobody off.
 */
export function confinementFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { entry, types } = context;
  const ofTypes = Object.entries(entry.memberTypes ?? {}).flatMap(([name, type]) =>
    types.get(name)?.quota === false ? uncounted(["memberTypes", name], type) : [],
  );
  const ofMembers = candidates.flatMap((candidate) => {
    const { index, entry: member, wrong } = candidate;
    const type = types.get(member.type ?? "");
    if (type === undefined || wrong.has("quota") || isQuotaDeclared(candidate, context)) {
      return [];
    }
    const at = ["members", index];
    const inherited = type.quota && counted.some((key) => member[key] === undefined && type[key] !== undefined);
    return [...uncounted(at, member), ...(inherited ? [plainMistake([...at, "quota"], ofTheType(type))] : [])];
  });
  const entries = [
    ...Object.entries(entry.memberTypes ?? {}).map(([name, type]) => ({ at: ["memberTypes", name], entry: type })),
    ...candidates.map(({ index, entry: member }) => ({ at: ["members", index], entry: member })),
  ];
  return [
    ...ofTypes,
    ...ofMembers,
    ...entries.flatMap(({ at, entry: each }) => [...strangeDefault(at, each), ...strangePool(at, each)]),
  ];
}

function strangePool(
  at: readonly PropertyKey[],
  { pool = {} }: Pick<Valid<MemberTypeEntry>, "pool"> = {},
): RawMistake[] {
  const { tolerations = [] } = pool;
  const path = [...at, "pool", "tolerations"];
  const single = tolerations.flatMap((toleration, index): RawMistake[] => {
    const { key = "", operator, value } = toleration ?? {};
    const own = isKubernetesOwn(key) || key === "CriticalAddonsOnly";
    return [
      ...(own
        ? [valueMistake([...path, index, "key"], key, "is Kubernetes' own; name a taint of the pool's nodes")]
        : []),
      ...(operator === "Exists" && value !== undefined
        ? [valueMistake([...path, index, "value"], value, "has no effect with operator: Exists; leave one of them out")]
        : []),
    ];
  });
  const isOpen = tolerations.length > 0 && tolerations.every((each) => each?.effect === "PreferNoSchedule");
  return [
    ...single,
    ...(isOpen
      ? [plainMistake(path, "must have one with the effect NoSchedule or NoExecute, which keeps others' pods off")]
      : []),
  ];
}

function strangeDefault(
  at: readonly PropertyKey[],
  { runtimeClasses = {} }: Pick<Valid<MemberTypeEntry>, "runtimeClasses"> = {},
): RawMistake[] {
  const { allowed, default: name } = runtimeClasses;
  return name === undefined || allowed === undefined || allowed.includes(name)
    ? []
    : [valueMistake([...at, "runtimeClasses", "default"], name, "is not in allowed; add it there")];
}

export const uncounted = (
  at: readonly PropertyKey[],
  entry: { readonly [K in (typeof counted)[number]]?: unknown } = {},
) =>
  counted.flatMap((key) =>
    entry[key] === undefined
      ? []
      : [plainMistake([...at, key], "needs a quota, which counts it; set quota: true, or leave it out")],
  );

const ofTheType = ({ name }: { readonly name: string }) =>
  `must be true: the devices or StorageClasses of type '${name}' need a quota, which counts them`;
