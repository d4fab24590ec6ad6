import { lookOf, nearOf } from "../../plan/coming/coming.ts";
import { budgetsTold, exceededBudgets } from "../../plan/findings/budgets.ts";
import { sleepTold } from "../../plan/findings/sleep.ts";
import { pendingRoutes, statusesOf } from "../../plan/findings/status.ts";
import { memberWarnings } from "../../plan/findings/warnings.ts";
import { loggedText, warningsOf } from "../../plan/messages/catalogue.ts";
import type { Finding } from "../../plan/messages/finding.ts";
import { planFor } from "../../plan/plan.ts";
import type { Digest } from "../report/digest.ts";
import type { Look } from "./plan/knownState.ts";

/** Preview of one of several stacks. */
export interface StackPreview {
  readonly stack: string;
  readonly digest: Digest;
  /** Reason why it failed; undefined if it succeeded. */
  readonly failure: string | undefined;
}

/** Merges previews of several stacks for one report; no two share a URN. */
export function mergedDigest(previews: readonly StackPreview[]): Digest {
  return {
    steps: previews.flatMap(({ digest }) => digest.steps),
    diagnostics: previews.flatMap(({ digest }) => digest.diagnostics),
  };
}

/**
 * Warnings of a full preview for members who are left out because nothing of theirs changes.
 * @param previewed names of the members in the preview
 */
export function unpreviewed(look: Look | undefined, previewed: readonly string[]): Digest {
  if (look === undefined) {
    return { steps: [], diagnostics: [] };
  }
  const statuses = statusesOf(look);
  const rest = planFor(look, ({ name }) => !previewed.includes(name));
  const members = rest.members.map(({ member }) => member);
  const warnings = [
    ...memberWarnings(rest, statuses, look.state.objects),
    ...pendingRoutes(members, statuses, new Set()),
    ...exceededBudgets(look.list, look.settings, look.snapshot),
  ];
  const logged = (severity: string, findings: readonly Finding[]) =>
    warningsOf(findings, "kubecamp up").map((one) => ({ severity, message: loggedText(one) }));
  return {
    // It names the stack.
    steps: look.state.root === undefined ? [] : [{ op: "same", urn: look.state.root.stack }],
    diagnostics: [
      ...logged("warning", warnings),
      ...logged("info", [
        ...budgetsTold(look.list, look.settings),
        ...nearOf(lookOf(rest), "quotaNearlyFull"),
        ...sleepTold(members),
        ...nearOf(lookOf(rest), "sleepsSoon"),
      ]),
    ],
  };
}
