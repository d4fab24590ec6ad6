import { stackLabel } from "../../config/names/labels.ts";
import { type AdmissionPolicy, admissionPolicyName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { sharedMetadata } from "../metadata.ts";
import { paramKinds } from "./admissionPolicy.ts";

/** All objects of the parameter's kind. Without any, a policy would judge nothing, not even what needs no parameter. */
const allParameters = { selector: {}, parameterNotFoundAction: "Deny" };

/**
 * Puts a policy in force in the namespaces of the stack's members, and nowhere else.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/validating-admission-policy-binding-v1/
 */
export function policyBinding(policy: AdmissionPolicy, settings: Settings) {
  const name = admissionPolicyName(policy, settings);
  return {
    metadata: sharedMetadata(name, settings),
    spec: {
      policyName: name,
      ...(policy in paramKinds ? { paramRef: allParameters } : {}),
      validationActions: ["Deny"],
      matchResources: {
        matchPolicy: "Equivalent",
        namespaceSelector: { matchLabels: { [stackLabel]: settings.stack } },
        objectSelector: {},
      },
    },
  };
}
