import { isDeepStrictEqual } from "node:util";
import { stackLabel } from "../../../naming/labels.ts";
import { ignoredPolicyFields } from "../../leftPolicies.ts";
import { broken, type Violation } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { listOf, mapAt, shown } from "../values.ts";

/** Whether an object is one of the stack's policies or bindings, registered to stay as it is. */
export const isLeftPolicy = ({ kind }: GateObject, ignored: readonly string[]): boolean =>
  /^(Mutating|Validating)AdmissionPolicy(Binding)?$/.test(kind) && isDeepStrictEqual(ignored, ignoredPolicyFields);

/** What a policy does, by its kind: it refuses, or it fills in what a policy of the first kind then holds. */
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
      ...must(spec.failurePolicy === "Fail", "failurePolicy", `is ${shown(spec.failurePolicy)} instead of 'Fail'`),
      ...must(listOf(spec[field]).length > 0, field, `has nothing that ${what}`),
    ];
  }
  if (!/^(Mutating|Validating)AdmissionPolicyBinding$/.test(kind)) {
    return [];
  }
  const { namespaceSelector, objectSelector = {} } = mapAt(spec, "matchResources");
  const selected = `${shown({ namespaceSelector, objectSelector })} is not for`;
  const isNamed = must(spec.policyName === name, "policyName", `is ${shown(spec.policyName)} instead of '${name}'`);
  const own = { [stackLabel]: settings.stack };
  if (kind === "MutatingAdmissionPolicyBinding") {
    // For some of the members, who are told by a further label.
    const isOwn = mapAt(namespaceSelector, "matchLabels")[stackLabel] === settings.stack;
    return [...isNamed, ...must(isOwn, "matchResources", `${selected} ${stackLabel}=${settings.stack} alone`)];
  }
  const isOfAll = isDeepStrictEqual(namespaceSelector, { matchLabels: own }) && isDeepStrictEqual(objectSelector, {});
  return [
    ...isNamed,
    ...must(
      listOf(spec.validationActions).includes("Deny"),
      "validationActions",
      `${shown(spec.validationActions)} refuses nothing`,
    ),
    ...must(isOfAll, "matchResources", `${selected} all of ${stackLabel}=${settings.stack}`),
  ];
};

const must = (holds: boolean, field: string, message: string): Violation[] =>
  holds ? [] : [broken("policies-in-force", `spec.${field}`, message)];
