import type { Settings } from "../../../config/model/settings.ts";
import { type AdmissionPolicy, admissionPolicies } from "../../../naming/names.ts";
import type { admissionPolicy } from "./admissionPolicy.ts";
import { amountsPolicy } from "./amountsPolicy.ts";
import { finalizersPolicy } from "./finalizersPolicy.ts";
import { imagesPolicy } from "./imagesPolicy.ts";
import { podsPolicy } from "./podsPolicy.ts";
import { policyBinding } from "./policyBinding.ts";
import { reservedPolicy } from "./reservedPolicy.ts";
import { routesPolicy } from "./routesPolicy.ts";
import { servicesPolicy } from "./servicesPolicy.ts";

type Policy = ReturnType<typeof admissionPolicy>;

const policies: Readonly<Record<AdmissionPolicy, (settings: Settings) => Policy>> = {
  amounts: amountsPolicy,
  finalizers: finalizersPolicy,
  images: imagesPolicy,
  pods: podsPolicy,
  reserved: reservedPolicy,
  routes: routesPolicy,
  services: servicesPolicy,
};

/** Those that have a `paramKind`. */
const withParameters: readonly AdmissionPolicy[] = ["pods"];

/** One of a stack's policies, and what puts it in force. */
export interface StackPolicy {
  readonly name: AdmissionPolicy;
  readonly policy: Policy;
  readonly binding: ReturnType<typeof policyBinding>;
}

/** All of them. */
export function policiesOf(settings: Settings): StackPolicy[] {
  return admissionPolicies.map((name) => ({
    name,
    policy: policyOf(name, settings),
    binding: bindingOf(name, settings),
  }));
}

export const policyOf = (name: AdmissionPolicy, settings: Settings): Policy => policies[name](settings);

export const bindingOf = (name: AdmissionPolicy, settings: Settings) =>
  policyBinding(name, withParameters.includes(name), settings);
