import type { V1ClusterRole, V1ClusterRoleBinding } from "@kubernetes/client-node";
import { acceptedAnnotation } from "../../../config/names/labels.ts";
import { firstFew } from "../../../config/values/sentences.ts";
import { writableAtHome } from "../../../objects/rbac/role.ts";
import { broken, type Outcome } from "../../outcome.ts";
import { beyond, everybodys, type Right, type Rule, rightTexts, ruleOf, type Subject, subjectKey } from "./rights.ts";

const group = (name: string) => subjectKey({ kind: "Group", name });
export const authenticated = group("system:authenticated");
export const serviceAccounts = group("system:serviceaccounts");

/** Keys of the groups of everybody that a subject is in, too. */
export const groupsOf = ({ kind }: Subject): readonly string[] =>
  kind === "ServiceAccount" ? [authenticated, serviceAccounts] : [authenticated];

/** A ClusterRoleBinding to everybody, with the annotation that accepts what it gives. */
export interface Acceptance {
  readonly by: string;
  /** Keys of the groups that get the rights. */
  readonly groups: readonly string[];
  readonly rules: readonly Rule[];
  /** Held if it is accepted: as a whole, or not at all. */
  readonly outcome: Outcome;
}

export const acceptancesIn = (
  bindings: readonly V1ClusterRoleBinding[],
  roles: readonly V1ClusterRole[],
): readonly Acceptance[] =>
  bindings.flatMap(({ metadata: { name, annotations } = {}, roleRef, subjects = [] }) => {
    const reason = annotations?.[acceptedAnnotation] ?? "";
    const groups = subjects.map(subjectKey).filter((key) => key === authenticated || key === serviceAccounts);
    const rules = (roles.find(({ metadata }) => metadata?.name === roleRef.name)?.rules ?? []).map(ruleOf);
    return reason === "" || groups.length === 0
      ? []
      : [{ by: `ClusterRoleBinding ${name}`, groups, rules, outcome: outcomeOf(rules, reason) }];
  });

function outcomeOf(rules: readonly Rule[], reason: string): Outcome {
  const rights = beyond(rules, everybodys);
  const harmful = rights.filter((right) => !isHarmless(right));
  return harmful.length > 0
    ? broken(`read its annotation ${acceptedAnnotation}`, `it can't accept ${firstFew(rightTexts(harmful), 5)}`)
    : { is: "held", accepted: `everybody may ${firstFew(rightTexts(rights), 5)} (${reason})` };
}

const reads = ["get", "list", "watch"];

/**
 * Reads, but none of what members have at home: Secrets, logs and `pods/exec` are among that. Writes to kinds that are not
 * Kubernetes' own, since RBAC, tokens and `impersonate` lead to all others; `userextras` alone let nobody impersonate.
 */
function isHarmless({ verb, group: apiGroup, resource }: Right): boolean {
  if (!reads.includes(verb)) {
    return apiGroup.includes(".") && (!apiGroup.endsWith(".k8s.io") || resource.startsWith("userextras/"));
  }
  const kindOf = (one: string) => one.split("/")[0];
  return !writableAtHome.some(
    ({ apiGroups, resources }) =>
      [...apiGroups, "*"].includes(apiGroup) && [...resources.map(kindOf), "*"].includes(kindOf(resource)),
  );
}

/** What a subject may do by all that is accepted. */
export const acceptedRules = (acceptances: readonly Acceptance[], subject: Subject): readonly Rule[] =>
  acceptances.flatMap(({ groups, rules, outcome }) =>
    outcome.is === "held" && groupsOf(subject).some((key) => groups.includes(key)) ? rules : [],
  );
