import { z } from "zod";
import { deviceName, storageClassName } from "./member/confinement.ts";
import { isQuotaDeclared, memberLimitsOf } from "./member/figures.ts";
import { storageMiB } from "./member/limits.ts";
import type { Member } from "./member/member.ts";
import { withTraits } from "./member/types.ts";
import type { Candidate, RulesContext } from "./rule.ts";
import type { Valid } from "./values/issues.ts";
import { byName, given, present } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "./values/mistakes.ts";
import { isSelected, type Selector, selectorFindings, selectorOf, selectorSchema } from "./values/selector.ts";
import { amount, cpu, dnsLabel, memory, optional, size, sizeMiB } from "./values/values.ts";

/** Upper bound on the sum of some members' quotas. */
export interface Budget {
  readonly name: string;
  readonly over: Selector;
  /** Highest sum by figure. Default: not bounded. */
  readonly most: Readonly<Partial<Record<BudgetFigure, number>>>;
}

/** A member's fields that their quota depends on. */
export type Quota = Pick<Member, "name" | "type" | "limits">;

/** A member's part of a sum. */
interface Share {
  readonly name: string;
  readonly amount: number;
}

/** Sum of some members' quotas for one figure of a budget. */
export interface BudgetSum {
  readonly figure: BudgetFigure;
  /** The budget's limit. */
  readonly most: number;
  readonly sum: number;
  /** The biggest first, without those of nothing. */
  readonly shares: readonly Share[];
  /** Number of members whose quotas don't count it, if there are any. */
  readonly uncounted?: number;
}

type Entry = Valid<BudgetEntry>;

/** Highest sum of each figure. */
const figureSchemas = {
  maxCPUm: optional(cpu, "Highest sum of `maxCPUm`, in thousandths of a CPU. Default: not bounded."),
  maxMemoryMiB: optional(memory, "Highest sum of `maxMemoryMiB`. Default: not bounded."),
  storageMiB: optional(
    amount(1, 1_000_000_000_000, "MiB"),
    "Highest sum of the quotas of storage, `numOfPVCs` times `maxPVCSizeMiB`. Default: not bounded.",
  ),
  devices: optional(
    z.record(deviceName, amount(0, 1_000_000_000, "devices"), "must be a map of devices with their numbers"),
    "Highest sum of `devices`, by extended resource or DRA DeviceClass. Default: not bounded.",
    { examples: [{ "nvidia.com/gpu": 8 }] },
  ),
  storage: optional(
    z.record(storageClassName, size, "must be a map of StorageClasses with their sizes"),
    "Highest sum of `storage`, by StorageClass, such as `500Gi`. Default: not bounded.",
    { examples: [{ fast: "200Gi" }] },
  ),
} satisfies Readonly<Record<BudgetKey, z.ZodType>>;

export const budgetSchema = z.strictObject(
  {
    name: dnsLabel.meta({ description: "Name in messages: a DNS label.", examples: ["cs101"] }),
    over: optional(selectorSchema, "The members whose quotas count. Default: all.", {
      examples: [{ labels: { course: "cs101" } }],
    }),
    ...figureSchemas,
  },
  "must be a budget: a name, and at least one of maxCPUm, maxMemoryMiB, storageMiB, devices and storage",
);

/** A budget: what the quotas of some members may add up to. */
export type BudgetEntry = z.input<typeof budgetSchema>;

/** Figures of a budget by key in the configuration, each with what a quota has of it. */
const figures = {
  /** In thousandths of a CPU. */
  maxCPUm: ({ limits }: Quota) => limits.maxCpuMillicores,
  maxMemoryMiB: ({ limits }: Quota) => limits.maxMemoryMiB,
  storageMiB,
} as const;

/** Figures by device or by StorageClass, in MiB, each with what a quota has by name; undefined if it counts none. */
const figuresByName = {
  devices: ({ type }: Quota) => type.devices,
  storage: ({ type }: Quota) => type.storage,
} as const;

type NamedKey = keyof typeof figuresByName;

/** Keys of a budget's figures in the configuration. */
export type BudgetKey = keyof typeof figures | NamedKey;

export const budgetKeys: readonly BudgetKey[] = [
  ...(Object.keys(figures) as (keyof typeof figures)[]),
  ...(Object.keys(figuresByName) as NamedKey[]),
];

/** A figure of a budget, such as `maxCPUm`, `devices nvidia.com/gpu` or `storage fast`. */
export type BudgetFigure = keyof typeof figures | `${NamedKey} ${string}`;

/** The device of a figure such as `devices nvidia.com/gpu`; undefined for another figure. */
export const deviceOf = (figure: BudgetFigure) => nameIn(figure, "devices");

/** The StorageClass of a figure such as `storage fast`; undefined for another figure. */
export const storageClassOf = (figure: BudgetFigure) => nameIn(figure, "storage");

const nameIn = (figure: BudgetFigure, key: NamedKey) =>
  figure.startsWith(`${key} `) ? figure.slice(key.length + 1) : undefined;

/** A quota's amount of a figure; undefined if it doesn't count it, so that nothing bounds its use. */
function amountIn(quota: Quota, figure: BudgetFigure): number | undefined {
  for (const key of Object.keys(figuresByName) as NamedKey[]) {
    const name = nameIn(figure, key);
    if (name !== undefined) {
      const amounts = figuresByName[key](quota);
      return amounts && (amounts[name] ?? 0);
    }
  }
  return figures[figure as keyof typeof figures](quota);
}

/** A figure in messages, with the unit if its key does not say it. */
export const figureText = (figure: BudgetFigure) => (storageClassOf(figure) === undefined ? figure : `${figure} (MiB)`);

/** Sum of quotas, from the members' limits. */
export function quotaSum(figure: BudgetFigure, most: number, quotas: readonly Quota[]): BudgetSum {
  const amounts = quotas.flatMap((quota) => {
    const amount = amountIn(quota, figure);
    return amount === undefined ? [] : [{ name: quota.name, amount }];
  });
  const uncounted = quotas.length - amounts.length;
  return { ...budgetSum(figure, most, amounts), ...(uncounted === 0 ? {} : { uncounted }) };
}

/** Sum of members' amounts; those that are not known (NaN) are left out. */
export function budgetSum(figure: BudgetFigure, most: number, amounts: readonly Share[]): BudgetSum {
  const shares = amounts.filter(({ amount }) => amount > 0).sort((a, b) => b.amount - a.amount);
  return { figure, most, sum: shares.reduce((total, { amount }) => total + amount, 0), shares };
}

const mostNamed = 5;

/** The biggest shares, such as `ada 2000, bob 500 and 27 more`. */
export function sharesText(shares: readonly Share[]): string {
  const named = shares.slice(0, mostNamed).map(({ name, amount }) => `${name} ${amount}`);
  const more = shares.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Mistakes: budgets of one name, budgets of nothing, and those that the quotas of their members exceed. */
export function budgetFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { budgets = [] } = context.entry;
  return budgets.flatMap((budget, index) => {
    const at = ["budgets", index];
    return budget === undefined
      ? []
      : [
          ...nameFindings(budgets, index),
          ...selectorFindings([...at, "over"], budget.over, candidates, context),
          ...boundFindings(budget, index, context),
          ...sumFindings(budget, index, candidates, context),
        ];
  });
}

function nameFindings(budgets: readonly (Entry | undefined)[], index: number): RawMistake[] {
  const name = budgets[index]?.name;
  const first = budgets.findIndex((budget) => budget?.name === name);
  return name === undefined || first === index
    ? []
    : [valueMistake(["budgets", index, "name"], name, `is the name of budgets[${first}] already; names must differ`)];
}

/** A figure may be there under a wrong key, which is a mistake already. */
function boundFindings(budget: Entry, index: number, { raw }: RulesContext): RawMistake[] {
  const isRight = budgetSchema.safeParse(valueAt(raw, ["budgets", index])).success;
  return !isRight || Object.keys(boundsOf(budget)).length > 0
    ? []
    : [plainMistake(["budgets", index], `has no limit; set at least one of ${budgetKeys.join(", ")}`)];
}

/** An incomplete selector would fit more members than the budget is over. */
function sumFindings(
  budget: Entry,
  index: number,
  candidates: readonly Candidate[],
  context: RulesContext,
): RawMistake[] {
  const over = valueAt(context.raw, ["budgets", index, "over"]) ?? {};
  const quotas = selectorSchema.safeParse(over).success ? quotasIn(budget, candidates, context) : [];
  const exceeded = (Object.entries(boundsOf(budget)) as [BudgetFigure, number][])
    .map(([figure, most]) => quotaSum(figure, most, quotas))
    .filter(({ sum, most }) => sum > most);
  return exceeded.length === 0
    ? []
    : [
        {
          path: ["budgets", index],
          message: (show) => {
            const named = budget.name === undefined ? "the budget" : `budget ${show(budget.name)}`;
            const whose =
              quotas.length === 1 ? "the quota of a member exceeds" : `the quotas of ${quotas.length} members exceed`;
            const sums = exceeded.map((sum) => sumText(sum, show(sum.most), show(sum.sum - sum.most)));
            return `${whose} ${named}: ${sums.join(", and ")}; raise the budget, lower their limits, or remove members from it`;
          },
        },
      ];
}

const sumText = ({ figure, sum, shares }: BudgetSum, most: string, excess: string) =>
  `${figureText(figure)} ${sum} of ${most}, ${excess} too much (${sharesText(shares)})`;

/** Quotas of the members that a budget is over. */
function quotasIn({ over }: Entry, candidates: readonly Candidate[], context: RulesContext): Quota[] {
  const selector = selectorOf(over);
  return candidates
    .filter((candidate) => isQuotaDeclared(candidate, context))
    .flatMap(({ index, entry }) => {
      const type = context.types.get(entry.type ?? "");
      const { member: name = context.placeOf(index) } = entry;
      return type !== undefined && isSelected({ name, type, labels: entry.labels ?? {} }, selector)
        ? [{ name, type: withTraits(type, entry), limits: memberLimitsOf(entry, context.entry) }]
        : [];
    });
}

/** Budgets of valid entries. */
export const budgetsOf = (entries: Valid<readonly BudgetEntry[]>): Budget[] =>
  present(entries).map((entry) => ({
    name: entry.name ?? "",
    over: selectorOf(entry.over),
    most: boundsOf(entry),
  }));

const named = (key: "devices" | "storage", amounts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${key} ${name}` as const, amount]));

/** Highest sums by figure. */
export function boundsOf({ devices = {}, storage = {}, ...figures }: Valid<BudgetEntry>): Budget["most"] {
  return {
    ...given(figures, "maxCPUm", "maxMemoryMiB", "storageMiB"),
    ...named(
      "devices",
      byName(devices, (number) => number),
    ),
    ...named("storage", byName(storage, sizeMiB)),
  };
}
