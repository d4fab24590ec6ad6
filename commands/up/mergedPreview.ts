import { memberOf } from "../../naming/urns.ts";
import { pendingRoutes, statusesOf } from "../../plan/findings/status.ts";
import { memberWarnings } from "../../plan/findings/warnings.ts";
import { loggedText, warningsOf } from "../../plan/messages/catalogue.ts";
import { planFor } from "../../plan/plan.ts";
import type { Digest } from "../report/digest.ts";
import type { Look } from "./look.ts";

/** A preview of one of several stacks. */
export interface StackPreview {
  readonly stack: string;
  readonly digest: Digest;
  /** Why it failed; undefined where it did not. */
  readonly failure: string | undefined;
}

/** Previews of several stacks as one, for one report: no two have a URN in common. */
export function mergedDigest(previews: readonly StackPreview[]): Digest {
  return {
    steps: previews.flatMap(({ digest }) => digest.steps),
    diagnostics: previews.flatMap(({ digest }) => digest.diagnostics),
  };
}

/**
 * What a preview of all would say of those who are not previewed, since nothing of theirs changes: who is pending, and
 * whatever else there is to be said.
 * @param previewed names of those who are
 */
export function unpreviewed(look: Look | undefined, previewed: readonly string[]): Digest {
  if (look === undefined) {
    return { steps: [], diagnostics: [] };
  }
  const statuses = statusesOf(look);
  const rest = planFor(look, ({ name }) => !previewed.includes(name));
  const members = rest.members.map(({ member }) => member);
  const names = new Set(members.map(({ name }) => name));
  const isOfRest = ({ urn }: { readonly urn: string }) => names.has(memberOf(urn) ?? "");
  const warnings = [
    ...memberWarnings(rest, statuses, look.state.objects),
    ...pendingRoutes(members, statuses, new Set()),
  ];
  return {
    steps: knownSteps(look, isOfRest),
    diagnostics: warningsOf(warnings, "kubecamp up").map((warning) => ({
      severity: "warning",
      message: loggedText(warning),
    })),
  };
}

/**
 * What is there by Pulumi's state, which a preview leaves out as long as it stays as it is: something that says which stack it is,
 * and whose; and who is there, whom another may have had before.
 */
export function knownSteps(
  { state }: Pick<Look, "state">,
  isMeant: (resource: { readonly urn: string }) => boolean = () => true,
): Digest["steps"] {
  const root = state.root === undefined ? [] : [{ urn: state.root.stack }];
  return [...root, ...state.resources.filter(isMeant)].map(({ urn }) => ({ op: "same", urn }));
}
