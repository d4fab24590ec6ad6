import type { Settings } from "../../../config/settings.ts";
import { stackLabel, stackLabels } from "../../../naming/labels.ts";
import { type AdmissionPolicy, admissionPolicyName } from "../../../naming/names.ts";

/**
 * What puts a policy in force: in the namespaces of the stack's members, and nowhere else.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/validating-admission-policy-binding-v1/
 */
export function policyBinding(policy: AdmissionPolicy, settings: Settings) {
  const name = admissionPolicyName(policy, settings);
  return {
    metadata: { name, labels: stackLabels(settings) },
    spec: {
      policyName: name,
      validationActions: ["Deny"],
      matchResources: {
        matchPolicy: "Equivalent",
        namespaceSelector: { matchLabels: { [stackLabel]: settings.stack } },
        objectSelector: {},
      },
    },
  };
}
