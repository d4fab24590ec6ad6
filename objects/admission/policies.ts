import { stackLabel } from "../../config/names/labels.ts";
import { type AdmissionPolicy, admissionPolicyName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { sharedMetadata } from "../metadata.ts";
import { admissionPolicy, type PolicyContent, paramKinds } from "./admissionPolicy.ts";
import { amountsPolicy } from "./amountsPolicy.ts";
import { devicesPolicy } from "./confined/devicesPolicy.ts";
import { poolsPolicy } from "./confined/poolsPolicy.ts";
import { runtimesPolicy } from "./confined/runtimesPolicy.ts";
import { usersPolicy } from "./confined/usersPolicy.ts";
import { finalizersPolicy } from "./finalizersPolicy.ts";
import { imagesPolicy } from "./imagesPolicy.ts";
import { podsPolicy } from "./podsPolicy.ts";
import { reservedPolicy } from "./reservedPolicy.ts";
import { restartsPolicy } from "./restartsPolicy.ts";
import { routesPolicy } from "./routesPolicy.ts";
import { servicesPolicy } from "./servicesPolicy.ts";
import { storagePolicy } from "./storagePolicy.ts";
import { tokensPolicy } from "./tokensPolicy.ts";

const policies: Readonly<Record<AdmissionPolicy, PolicyContent | ((settings: Settings) => PolicyContent)>> = {
  amounts: amountsPolicy,
  devices: devicesPolicy,
  finalizers: finalizersPolicy,
  images: imagesPolicy,
  pods: podsPolicy,
  pools: poolsPolicy,
  reserved: reservedPolicy,
  restarts: restartsPolicy,
  routes: routesPolicy,
  runtimes: runtimesPolicy,
  services: servicesPolicy,
  storage: storagePolicy,
  tokens: tokensPolicy,
  users: usersPolicy,
};

export function policyOf(name: AdmissionPolicy, settings: Settings) {
  const content = policies[name];
  return admissionPolicy(name, typeof content === "function" ? content(settings) : content, settings);
}

/** All objects of the parameter's kind. Without any, a policy would judge nothing, not even what needs no parameter. */
const allParameters = { selector: {}, parameterNotFoundAction: "Deny" };

/** Puts a policy in force in the namespaces of the stack's members, and nowhere else. */
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
