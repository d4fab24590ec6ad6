import { z } from "zod";
import { deviceName, storageClassName } from "./member/confinement.ts";
import { storageMiB } from "./member/limits.ts";
import { type Quota, quotasIn } from "./member/quotas.ts";
import type { Rule, RuleContext } from "./rule.ts";
import type { Valid } from "./values/issues.ts";
import { byName, given, present, when } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "./values/mistakes.ts";
import { isSelected, selectorMistakes, selectorOf, selectorSchema } from "./values/selector.ts";
import { amount, cpu, dnsLabel, memory, optional, size, sizesMiB } from "./values/values.ts";

type Share = { readonly name: string; readonly amount: number };

export interface BudgetSum {
  readonly figure: BudgetFigure;
  readonly most: number;
  readonly sum: number;
  /** The biggest first, without those of nothing. */
  readonly shares: readonly Share[];
  readonly uncounted?: number;
}

type Entry = Valid<z.input<typeof budgetSchema>>;

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

const budgetSchema = z.strictObject(
  {
    name: dnsLabel.meta({ description: "Name in messages: a DNS label.", examples: ["cs101"] }),
    over: optional(selectorSchema, "The members whose quotas count. Default: all.", {
      examples: [{ labels: { course: "cs101" } }],
    }),
    ...figureSchemas,
  },
  "must be a budget: a name, and at least one of maxCPUm, maxMemoryMiB, storageMiB, devices and storage",
);

export const budgetsSchema = optional(
  z.array(budgetSchema, "must be a list of budgets"),
  "Limits on the sum of some members' quotas. A run stops above one. Members without a quota don't count. See [budgets.md](../run/budgets.md).",
  { examples: [[{ name: "cs101", over: { labels: { course: "cs101" } }, maxCPUm: 20_000, maxMemoryMiB: 32_768 }]] },
);

/**
 * Figures of a budget by key in the configuration, each with what a quota has of it; undefined if it doesn't count it, so
 * that nothing bounds its use. Some have an amount by device or by StorageClass, in MiB.
 */
const amounts = {
  maxCPUm: ({ limits }: Quota) => limits.maxCpuMillicores,
  maxMemoryMiB: ({ limits }: Quota) => limits.maxMemoryMiB,
  storageMiB,
  devices: ({ type: { devices } }: Quota, name: string) => devices && (devices[name] ?? 0),
  storage: ({ type: { storage } }: Quota, name: string) => storage && (storage[name] ?? 0),
} as const;

type BudgetKey = keyof typeof amounts;

type NamedKey = "devices" | "storage";

/** A figure of a budget, such as `maxCPUm`, `devices nvidia.com/gpu` or `storage fast`. */
export type BudgetFigure = Exclude<BudgetKey, NamedKey> | `${NamedKey} ${string}`;

/** The device of a figure such as `devices nvidia.com/gpu`; undefined for another figure. */
export const deviceOf = (figure: BudgetFigure) => /^devices (.*)/.exec(figure)?.[1];

/** The StorageClass of a figure such as `storage fast`; undefined for another figure. */
export const storageClassOf = (figure: BudgetFigure) => /^storage (.*)/.exec(figure)?.[1];

function amountIn(quota: Quota, figure: BudgetFigure): number | undefined {
  const [key, name = ""] = figure.split(" ") as [BudgetKey, string?];
  return amounts[key](quota, name);
}

/** A figure in messages, with the unit if its key does not say it. */
export const figureText = (figure: BudgetFigure) => (storageClassOf(figure) === undefined ? figure : `${figure} (MiB)`);

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

export type Budget = Readonly<ReturnType<typeof budgetsOf>[number]>;

export const budgetsOf = (entries: readonly (Entry | undefined)[]) =>
  present(entries).map((entry) => ({
    name: entry.name ?? "",
    over: selectorOf(entry.over),
    most: boundsOf(entry),
  }));

const named = (key: NamedKey, amounts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${key} ${name}` as const, amount]));

function boundsOf({ devices = {}, storage = {}, ...figures }: Entry): Readonly<Partial<Record<BudgetFigure, number>>> {
  return {
    ...given(figures, "maxCPUm", "maxMemoryMiB", "storageMiB"),
    ...named("devices", byName(devices)),
    ...named("storage", byName(sizesMiB(storage))),
  };
}

export const budgetRule: Rule = (all) => {
  const { budgets = [] } = all.entry;
  if (budgets.length === 0) {
    return [];
  }
  const quotas = quotasIn(all);
  return budgets.flatMap((budget = {}, index) => {
    const at = ["budgets", index];
    const first = budgets.findIndex((each) => each?.name === budget.name);
    const isTwice = budget.name !== undefined && first !== index;
    return [
      ...when(
        isTwice,
        valueMistake([...at, "name"], budget.name, `is the name of budgets[${first}] already; names must differ`),
      ),
      ...selectorMistakes([...at, "over"], budget.over, all),
      ...boundMistakes(budget, at, all),
      ...sumMistakes(budget, at, quotas, all),
    ];
  });
};

/** A figure may be there under a wrong key, which is a mistake already. */
function boundMistakes(budget: Entry, at: readonly PropertyKey[], { raw }: RuleContext): readonly RawMistake[] {
  const isRight = budgetSchema.safeParse(valueAt(raw, at)).success;
  const why = `has no limit; set at least one of ${Object.keys(amounts).join(", ")}`;
  return when(isRight && Object.keys(boundsOf(budget)).length === 0, plainMistake(at, why));
}

/** An incomplete selector would fit more members than the budget is over. */
function sumMistakes(
  { name, over, ...bounds }: Entry,
  at: readonly PropertyKey[],
  all: ReturnType<typeof quotasIn>,
  { raw }: RuleContext,
): readonly RawMistake[] {
  const isRight = selectorSchema.safeParse(valueAt(raw, [...at, "over"]) ?? {}).success;
  const quotas = all.filter((quota) => isRight && isSelected(quota, selectorOf(over)));
  const exceeded = (Object.entries(boundsOf(bounds)) as [BudgetFigure, number][])
    .map(([figure, most]) => quotaSum(figure, most, quotas))
    .filter(({ sum, most }) => sum > most);
  const whose = quotas.length === 1 ? "the quota of a member exceeds" : `the quotas of ${quotas.length} members exceed`;
  return when(exceeded.length > 0, {
    path: at,
    message: (show) => {
      const named = name === undefined ? "the budget" : `budget ${show(name)}`;
      const sums = exceeded.map(
        ({ figure, sum, most, shares }) =>
          `${figureText(figure)} ${sum} of ${show(most)}, ${show(sum - most)} too much (${sharesText(shares)})`,
      );
      return `${whose} ${named}: ${sums.join(", and ")}; raise the budget, lower their limits, or remove members from it`;
    },
  });
}
