import { isDeepStrictEqual } from "node:util";
import { stackLabel } from "../../../naming/labels.ts";
import { ignoredPolicyFields } from "../../leftPolicies.ts";
import { mustHold } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { listOf, mapAt, shown } from "../values.ts";

const must = mustHold("policies-in-force");

/** Whether an object is one of the stack's policies or bindings, registered to stay as it is. */
export const isLeftPolicy = ({ kind }: GateObject, ignored: readonly string[]): boolean =>
  /^(Mutating|Validating)AdmissionPolicy(Binding)?$/.test(kind) && isDeepStrictEqual(ignored, ignoredPolicyFields);

/** The field with a policy's rules, by kind: a mutating policy fills in defaults, a validating one refuses the rest. */
const contents: Readonly<Record<string, readonly [field: string, what: string]>> = {
  MutatingAdmissionPolicy: ["mutations", "is filled in"],
  ValidatingAdmissionPolicy: ["validations", "must hold"],
};

/**
 * A policy must refuse, also when it can't be evaluated, and apply to the stack's members.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export const policiesInForce: Judge = ({ kind, name, args }, { settings }) => {
  const spec = mapAt(args, "spec");
  const content = contents[kind];
  if (content !== undefined) {
    const [field, what] = content;
    return [
      ...must(spec.failurePolicy === "Fail", "spec.failurePolicy", `is ${shown(spec.failurePolicy)} instead of 'Fail'`),
      ...must(listOf(spec[field]).length > 0, `spec.${field}`, `has nothing that ${what}`),
    ];
  }
  if (!/^(Mutating|Validating)AdmissionPolicyBinding$/.test(kind)) {
    return [];
  }
  const { namespaceSelector, objectSelector = {} } = mapAt(spec, "matchResources");
  const selected = `${shown({ namespaceSelector, objectSelector })} is not for`;
  const isNamed = must(
    spec.policyName === name,
    "spec.policyName",
    `is ${shown(spec.policyName)} instead of '${name}'`,
  );
  const own = { [stackLabel]: settings.stack };
  if (kind === "MutatingAdmissionPolicyBinding") {
    // Such a binding selects some of the members, by a further label.
    const isOwn = mapAt(namespaceSelector, "matchLabels")[stackLabel] === settings.stack;
    return [...isNamed, ...must(isOwn, "spec.matchResources", `${selected} ${stackLabel}=${settings.stack} alone`)];
  }
  const isOfAll = isDeepStrictEqual(namespaceSelector, { matchLabels: own }) && isDeepStrictEqual(objectSelector, {});
  return [
    ...isNamed,
    ...must(
      listOf(spec.validationActions).includes("Deny"),
      "spec.validationActions",
      `${shown(spec.validationActions)} refuses nothing`,
    ),
    ...must(isOfAll, "spec.matchResources", `${selected} all of ${stackLabel}=${settings.stack}`),
  ];
};
