import { storageMiB } from "./memberTypes.ts";
import type { Member } from "./settings.ts";

/** A member's fields that their quota depends on. */
export type Quota = Pick<Member, "name" | "type" | "limits">;

/** Figures of a budget by key in the configuration, each with what a quota has of it. */
export const budgetFigures = {
  /** In thousandths of a CPU. */
  maxCPUm: ({ limits }: Quota) => limits.maxCpuMillicores,
  maxMemoryMiB: ({ limits }: Quota) => limits.maxMemoryMiB,
  storageMiB,
} as const;

export type BudgetFigure = keyof typeof budgetFigures;

/** A member's part of a sum. */
export interface Share {
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
}

/** Sum of quotas, from the members' limits. */
export const quotaSum = (figure: BudgetFigure, most: number, quotas: readonly Quota[]): BudgetSum =>
  budgetSum(
    figure,
    most,
    quotas.map((quota) => ({ name: quota.name, amount: budgetFigures[figure](quota) })),
  );

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
