import type { Settings } from "../../../config/settings.ts";
import type { AdmissionPolicy } from "../../../naming/names.ts";
import type { admissionPolicy } from "./admissionPolicy.ts";
import { policyBinding } from "./policyBinding.ts";
import { servicesPolicy } from "./servicesPolicy.ts";

type Policies = Readonly<Partial<Record<AdmissionPolicy, (settings: Settings) => ReturnType<typeof admissionPolicy>>>>;

const policies: Policies = {
  services: servicesPolicy,
};

/** One of them. */
export interface StackPolicy {
  readonly name: AdmissionPolicy;
  readonly policy: ReturnType<typeof admissionPolicy>;
  readonly binding: ReturnType<typeof policyBinding>;
}

/** All of a stack's policies, each with what puts it in force. */
export function policiesOf(settings: Settings): StackPolicy[] {
  return (Object.keys(policies) as AdmissionPolicy[]).flatMap((name) => {
    const policy = policies[name]?.(settings);
    return policy === undefined ? [] : [{ name, policy, binding: policyBinding(name, settings) }];
  });
}
