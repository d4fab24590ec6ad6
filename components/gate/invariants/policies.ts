import { isDeepStrictEqual } from "node:util";
import { stackLabel } from "../../../naming/labels.ts";
import { ignoredPolicyFields } from "../../leftPolicies.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { listOf, mapAt, shown } from "../values.ts";

/** Whether an object is one of the stack's policies or bindings, registered to stay as it is. */
export const isLeftPolicy = ({ kind }: GateObject, ignored: readonly string[]): boolean =>
  ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"].includes(kind) &&
  isDeepStrictEqual(ignored, ignoredPolicyFields);

/**
 * A policy must refuse, also when it can't be evaluated, and apply to the stack's members.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export const policiesInForce: Judge = ({ kind, name, args }, { settings }) => {
  const spec = mapAt(args, "spec");
  if (kind === "ValidatingAdmissionPolicy") {
    return [
      ...(spec.failurePolicy === "Fail"
        ? []
        : [broken("policies-in-force", "spec.failurePolicy", `is ${shown(spec.failurePolicy)} instead of 'Fail'`)]),
      ...(listOf(spec.validations).length > 0
        ? []
        : [broken("policies-in-force", "spec.validations", "has nothing that must hold")]),
    ];
  }
  if (kind !== "ValidatingAdmissionPolicyBinding") {
    return [];
  }
  const { namespaceSelector, objectSelector = {} } = mapAt(spec, "matchResources");
  const own = { matchLabels: { [stackLabel]: settings.stack } };
  return [
    ...(spec.policyName === name
      ? []
      : [broken("policies-in-force", "spec.policyName", `is ${shown(spec.policyName)} instead of '${name}'`)]),
    ...(listOf(spec.validationActions).includes("Deny")
      ? []
      : [broken("policies-in-force", "spec.validationActions", `${shown(spec.validationActions)} refuses nothing`)]),
    ...(isDeepStrictEqual(namespaceSelector, own) && isDeepStrictEqual(objectSelector, {})
      ? []
      : [
          broken(
            "policies-in-force",
            "spec.matchResources",
            `${shown({ namespaceSelector, objectSelector })} is not for all of ${stackLabel}=${settings.stack}`,
          ),
        ]),
  ];
};
