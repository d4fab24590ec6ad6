import type { PlanAndState } from "../../plan/decide/differing.ts";
import { exceededBudgets } from "../../plan/findings/budgets.ts";
import { pendingRoutes, statusesOf } from "../../plan/findings/status.ts";
import { memberWarnings, runNotices } from "../../plan/findings/warnings.ts";
import { planFor } from "../../plan/members/plan.ts";
import { type Digest, nothingFound } from "../report/digest.ts";

/** Warnings of a full preview for members who are left out because nothing of theirs changes. */
export function unpreviewed(look: PlanAndState, previewed: readonly string[]): Digest {
  const statuses = statusesOf(look);
  const rest = planFor(look, ({ name }) => !previewed.includes(name));
  const members = rest.members.map(({ member }) => member);
  return {
    ...nothingFound,
    // It says that there is a preview.
    steps: [{ op: "same", urn: "" }],
    warnings: [
      ...memberWarnings(rest, statuses, look.state.objects),
      ...pendingRoutes(members, statuses, new Set()),
      ...exceededBudgets(look.list, look.settings, look.snapshot),
    ],
    notices: runNotices(rest, look.list, members),
  };
}
