import { type BudgetSum, figureText, sharesText } from "../../config/budgets.ts";
import { counted } from "../../config/values/sentences.ts";
import type { WarningFacts } from "./warningFacts.ts";

/** Such as `30 members; maxCPUm 15000 of 20000, 5000 left (ada 2000, bob 500 and 28 more)`. */
export function budgetText({ members, unbound, sums }: WarningFacts["budgets"]): string {
  const others = unbound === 0 ? "" : ` (${unbound} without a quota ${unbound === 1 ? "doesn't" : "don't"} count)`;
  return [`${counted(members, "member")}${others}`, ...sums.map(sumText)].join("; ");
}

function sumText({ figure, most, sum, shares, uncounted = 0 }: BudgetSum): string {
  const others =
    uncounted === 0 ? [] : [`${uncounted} without a quota of it ${uncounted === 1 ? "doesn't" : "don't"} count`];
  const whose = [...(shares.length === 0 ? [] : [sharesText(shares)]), ...others].join("; ");
  return `${figureText(figure)} ${sum} of ${most}, ${most - sum} left${whose === "" ? "" : ` (${whose})`}`;
}

export const exceededText = ({ budget, used, refused }: WarningFacts["budgetExceeded"]) =>
  `budget '${budget}': ${figureText(used.figure)} ${used.most} is below what its members use now, ${used.sum} ` +
  `(${sharesText(used.shares)}); what runs goes on, and full quotas refuse new ${refused}`;
