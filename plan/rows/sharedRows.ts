import { type OthersView, othersViews } from "../../config/member/types.ts";
import {
  type AdmissionPolicy,
  admissionPolicyName,
  backendCaSecretName,
  clusterRoleName,
  fillInName,
  policyNamesOf,
} from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { fillIn, fillInBinding } from "../../objects/admission/confined/fillIn.ts";
import { policyBinding, policyOf } from "../../objects/admission/policies.ts";
import { clusterRole } from "../../objects/rbac/clusterRole.ts";
import { backendCaSecret } from "../../objects/route/drivers/drivers.ts";
import type { Row } from "./row.ts";

interface SharedFacts {
  readonly settings: Settings;
  readonly mutates: boolean;
}

export const sharedRows: readonly Row<SharedFacts>[] = [
  {
    part: "access/*",
    kind: "ClusterRole",
    place: "cluster",
    name: ({ stack }, view) => clusterRoleName(view as OthersView, stack),
    made: ({ settings }) => othersViews.map((view) => ({ vary: view, build: () => clusterRole(view, settings) })),
  },
  {
    part: "access/backend-ca",
    kind: "Secret",
    place: "controller",
    name: ({ stack }) => backendCaSecretName(stack),
    isControllers: true,
    made: ({ settings }) => {
      const secret = backendCaSecret(settings);
      return secret === undefined ? [] : [{ build: () => secret }];
    },
  },
  {
    part: "access/admission/*",
    kind: "ValidatingAdmissionPolicy",
    place: "cluster",
    name: ({ stack }, policy) => admissionPolicyName(policy as AdmissionPolicy, stack),
    made: ({ settings }) => policyNamesOf(settings).map((vary) => ({ vary, build: () => policyOf(vary, settings) })),
  },
  {
    // A policy without its binding judges nothing, so the binding is the guard.
    part: "access/admission/*/binding",
    isGuard: true,
    kind: "ValidatingAdmissionPolicyBinding",
    place: "cluster",
    name: ({ stack }, policy) => admissionPolicyName(policy as AdmissionPolicy, stack),
    after: (there, policy) => there(`access/admission/${policy}`),
    made: ({ settings }) =>
      policyNamesOf(settings).map((vary) => ({ vary, build: () => policyBinding(vary, settings) })),
  },
  {
    // Not marked as a guard: access need not wait for it. It only adds defaults; pods without them are refused by policies.
    part: "access/admission/mutating/fill-in",
    kind: "MutatingAdmissionPolicy",
    place: "cluster",
    name: ({ stack }) => fillInName(stack),
    made: (facts) => (isFilling(facts) ? [{ build: () => fillIn(facts.settings) }] : []),
  },
  {
    part: "access/admission/mutating/fill-in/binding",
    kind: "MutatingAdmissionPolicyBinding",
    place: "cluster",
    name: ({ stack }) => fillInName(stack),
    after: (there) => there("access/admission/mutating/fill-in"),
    made: (facts) => (isFilling(facts) ? [{ build: () => fillInBinding(facts.settings) }] : []),
  },
];

const isFilling = ({ settings, mutates }: SharedFacts) => mutates && settings.confinement?.fillsIn === true;
