import type { Rule, RuleContext } from "../rule.ts";
import type { Valid } from "../values/issues.ts";
import { when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { isKubernetesOwn } from "./confinement.ts";
import { isQuotaDeclared } from "./quotas.ts";
import type { MemberTypeEntry } from "./types.ts";

type Entry = Valid<MemberTypeEntry>;

const counted = ["devices", "storage"] as const;

export const confinementRule: Rule = (all) => {
  const types = Object.entries(all.entry.memberTypes ?? {});
  const entries = [
    ...types.map(([name, entry = {}]) => ({ at: ["memberTypes", name], entry })),
    ...all.candidates.map(({ index, entry }) => ({ at: ["members", index], entry })),
  ];
  return [
    ...types.flatMap(([name, entry = {}]) =>
      all.types.get(name)?.quota === false ? uncounted(["memberTypes", name], entry) : [],
    ),
    ...uncountedOfMembers(all),
    ...entries.flatMap(({ at, entry }) => [...strangeDefault(at, entry), ...strangePool(at, entry)]),
  ];
};

const uncountedOfMembers = (all: RuleContext) =>
  all.candidates.flatMap((candidate) => {
    const { index, entry, wrong } = candidate;
    const type = all.types.get(entry.type ?? "");
    if (type === undefined || wrong.has("quota") || isQuotaDeclared(candidate, all)) {
      return [];
    }
    const at = ["members", index];
    const inherited = type.quota && counted.some((key) => entry[key] === undefined && type[key] !== undefined);
    const why = `must be true: the devices or StorageClasses of type '${type.name}' need a quota, which counts them`;
    return [...uncounted(at, entry), ...when(inherited, plainMistake([...at, "quota"], why))];
  });

const uncounted = (at: readonly PropertyKey[], entry: Pick<Entry, (typeof counted)[number]>) =>
  counted.flatMap((key) =>
    when(
      entry[key] !== undefined,
      plainMistake([...at, key], "needs a quota, which counts it; set quota: true, or leave it out"),
    ),
  );

function strangePool(at: readonly PropertyKey[], { pool = {} }: Pick<Entry, "pool">): RawMistake[] {
  const { tolerations = [] } = pool;
  const path = [...at, "pool", "tolerations"];
  // A wrong toleration is a hole, which `every` passes over in the list itself.
  const isOpen = tolerations.length > 0 && [...tolerations].every((each) => each?.effect === "PreferNoSchedule");
  return [
    ...tolerations.flatMap(({ key = "", operator, value } = {}, index) => [
      ...when(
        isKubernetesOwn(key) || key === "CriticalAddonsOnly",
        valueMistake([...path, index, "key"], key, "is Kubernetes' own; name a taint of the pool's nodes"),
      ),
      ...when(
        operator === "Exists" && value !== undefined,
        valueMistake([...path, index, "value"], value, "has no effect with operator: Exists; leave one of them out"),
      ),
    ]),
    ...when(
      isOpen,
      plainMistake(path, "must have one with the effect NoSchedule or NoExecute, which keeps others' pods off"),
    ),
  ];
}

function strangeDefault(at: readonly PropertyKey[], { runtimeClasses = {} }: Pick<Entry, "runtimeClasses">) {
  const { allowed, default: name } = runtimeClasses;
  return when(
    name !== undefined && allowed?.includes(name) === false,
    valueMistake([...at, "runtimeClasses", "default"], name, "is not in allowed; add it there"),
  );
}
