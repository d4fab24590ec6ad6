import type { Member } from "../../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../../config/names/labels.ts";
import { backendCaName, routeCertificateName } from "../../../config/names/names.ts";
import { signatureKey } from "../../../config/names/pulumiMarks.ts";
import type { Settings } from "../../../config/settings.ts";
import { promisesPage } from "../pages.ts";
import type { Attempts } from "./attempt.ts";
import { mayClaim, type Permitted } from "./permitted.ts";

const endless = { finalizers: ["kubecamp.invalid/never"] };
/** Of an owner that need not exist. */
const uid = "6f1d0c4e-0000-4000-8000-000000000000";
const owner = { apiVersion: "v1", kind: "Namespace", name: "default", uid, blockOwnerDeletion: true };

export const outlastsPromise = { promise: "Nothing outlasts a member", page: promisesPage };

export const ofEnds = ({ pod, configMap, deployment, secret }: Permitted): Attempts => ({
  ...outlastsPromise,
  attempts: {
    "made a ConfigMap with a finalizer that nobody removes": configMap({ metadata: endless }),
    "made a Deployment whose pods have a finalizer that nobody removes": deployment({ ofPods: endless }),
    "had the deletion of a namespace wait for a ConfigMap": configMap({ metadata: { ownerReferences: [owner] } }),
    "ran a pod that takes ten years to end": pod({ pod: { terminationGracePeriodSeconds: 315_360_000 } }),
    "had Kubernetes fill a Secret with a token that never ends": secret({
      metadata: { annotations: { "kubernetes.io/service-account.name": "default" } },
      fields: { type: "kubernetes.io/service-account-token" },
    }),
  },
});

const labelled = (key: string, value: string) => ({ metadata: { labels: { [key]: value } } });

export const ofNames = ({ configMap, secret, deployment }: Permitted, { stack }: Settings): Attempts => ({
  promise: "Only the platform writes kubecamp's objects in members' namespaces",
  page: promisesPage,
  attempts: {
    "made the Secret with the certificate of their host": secret({ metadata: { name: routeCertificateName } }),
    "made the ConfigMap with a Gateway's CA": configMap({ metadata: { name: backendCaName } }),
    "made a ConfigMap with kubecamp's label of the stack": configMap(labelled(stackLabel, stack)),
    "made a ConfigMap that kubecamp manages": configMap(labelled("app.kubernetes.io/managed-by", "kubecamp")),
    "made a Deployment with kubecamp's label of a member": deployment(labelled(memberLabel, "kubecamp-verify")),
    "made a ConfigMap that Pulumi takes for a file": configMap({ fields: { data: { [signatureKey]: "x" } } }),
  },
});

export function ofClaims({ claim, claimSpec, pod, statefulSet }: Permitted, member: Member): Attempts {
  const volumeName = "kubecamp-verify";
  const bound = { annotations: { "pv.kubernetes.io/bind-completed": "yes" } };
  return {
    promise: "Claims choose no volume, and don't say that they are bound",
    page: promisesPage,
    attempts: mayClaim(member)
      ? {
          "made a claim of a volume by its name": claim({ spec: { volumeName } }),
          "made a claim that says it is bound": claim({ metadata: bound }),
          "made a claim that says for which node": claim({
            metadata: { annotations: { "volume.kubernetes.io/selected-node": "kubecamp-verify" } },
          }),
          "ran a pod whose claim chooses a volume": pod({
            pod: {
              volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { spec: claimSpec({ volumeName }) } } }],
            },
          }),
          "made a StatefulSet whose claims say they are bound": statefulSet({
            spec: { volumeClaimTemplates: [{ metadata: { name: "data", ...bound }, spec: claimSpec() }] },
          }),
        }
      : {},
  };
}
