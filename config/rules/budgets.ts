import {
  type BudgetFigure,
  type BudgetSum,
  budgetKeys,
  figureText,
  type Quota,
  quotaSum,
  sharesText,
} from "../model/members/budgets.ts";
import { memberLimitsOf, withTraits } from "../resolve/members/memberTypes.ts";
import { boundsOf, isSelected, selectorOf } from "../resolve/members/selector.ts";
import type { Valid } from "../schema/issues.ts";
import { type BudgetEntry, budgetSchema } from "../schema/members/budgets.ts";
import { selectorSchema } from "../schema/members/selector.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../sources/mistakes.ts";
import { isQuotaDeclared } from "./figures.ts";
import { type Candidate, type RulesContext, selectorFindings } from "./rules.ts";

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

type Entry = Valid<BudgetEntry>;

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
