import { type BudgetSum, figureText, sharesText } from "../../config/budgets.ts";
import { counted } from "../../config/values/sentences.ts";
import { lineOf, listed, type WordsOf } from "./wording.ts";

export interface QuotaWarnings {
  /** Sums of a budget's quotas; every run logs them as info. */
  readonly budgets: {
    readonly budget: string;
    readonly members: number;
    readonly unbound: number;
    readonly sums: readonly BudgetSum[];
  };
  readonly budgetExceeded: {
    readonly budget: string;
    readonly used: BudgetSum;
    readonly refused: string;
  };
  readonly quotaShrinks: {
    readonly resource: string;
    readonly hard: string;
    readonly used: string;
    readonly refused: string;
  };
}

export const quotaWords: WordsOf<QuotaWarnings> = {
  budgets: listed("Budgets, and what is left of them:", ({ facts }) =>
    lineOf({ object: facts.budget }, budgetText(facts)),
  ),
  budgetExceeded: (all) => [all.map(({ facts }) => exceededText(facts)).join("\n")],
  quotaShrinks: (all) => [
    all
      .map(
        ({ member, facts: { resource, hard, used, refused } }) =>
          `${member}: ${resource} ${hard} is below what is used now, ${used}; what runs goes on, new ${refused} are refused until it fits`,
      )
      .join("\n"),
  ],
};

/** Such as `30 members; maxCPUm 15000 of 20000, 5000 left (ada 2000, bob 500 and 28 more)`. */
export function budgetText({ members, unbound, sums }: QuotaWarnings["budgets"]): string {
  const others = unbound === 0 ? "" : ` (${unbound} without a quota ${unbound === 1 ? "doesn't" : "don't"} count)`;
  return [`${counted(members, "member")}${others}`, ...sums.map(sumText)].join("; ");
}

function sumText({ figure, most, sum, shares, uncounted = 0 }: BudgetSum): string {
  const others =
    uncounted === 0 ? [] : [`${uncounted} without a quota of it ${uncounted === 1 ? "doesn't" : "don't"} count`];
  const whose = [...(shares.length === 0 ? [] : [sharesText(shares)]), ...others].join("; ");
  return `${figureText(figure)} ${sum} of ${most}, ${most - sum} left${whose === "" ? "" : ` (${whose})`}`;
}

const exceededText = ({ budget, used, refused }: QuotaWarnings["budgetExceeded"]) =>
  `budget '${budget}': ${figureText(used.figure)} ${used.most} is below what its members use now, ${used.sum} ` +
  `(${sharesText(used.shares)}); what runs goes on, and full quotas refuse new ${refused}`;
