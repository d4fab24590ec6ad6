import { storageMiB } from "./limits.ts";
import type { Member, Selector } from "./member.ts";

/** Upper bound on the sum of some members' quotas. */
export interface Budget {
  readonly name: string;
  readonly over: Selector;
  /** Highest sum by figure. Default: not bounded. */
  readonly most: Readonly<Partial<Record<BudgetFigure, number>>>;
}

/** A member's fields that their quota depends on. */
export type Quota = Pick<Member, "name" | "type" | "limits">;

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
