import { signatureKey } from "../../../../naming/pulumiMarks.ts";
import { inside } from "../hostile/attempt.ts";

/** A request by ann about what the platform gives her, and words of its refusal. */
export type Attempt = readonly [
  what: string,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  refusal: RegExp,
  body?: object,
];

const at = (resource: string) => inside("ann", resource);
const course = at("configmaps/course");
const tutor = at("deployments/tutor");
const registry = at("secrets/registry");
const platforms = (what: string) => new RegExp(`${what} belongs to the platform`);
const ofSecret = platforms("Secret 'registry'");
const password = { stringData: { password: "mine" } };

export const autoscaler = (name: string, target: string) => ({
  metadata: { name },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target }, minReplicas: 1, maxReplicas: 2 },
});

export const attempts: readonly Attempt[] = [
  ["change a given ConfigMap", "PATCH", course, platforms("ConfigMap 'course'"), { data: { hello: "mine" } }],
  ["delete a given ConfigMap", "DELETE", course, platforms("ConfigMap 'course'")],
  ["delete all ConfigMaps at once", "DELETE", at("configmaps"), platforms("ConfigMap 'course'")],
  [
    "relabel a given Deployment",
    "PATCH",
    tutor,
    platforms("Deployment 'tutor'"),
    { metadata: { labels: { "app.kubernetes.io/managed-by": null, "kubecamp.dev/object": null } } },
  ],
  ["scale a given Deployment", "PATCH", `${tutor}/scale`, platforms("Scale 'tutor'"), { spec: { replicas: 0 } }],
  [
    "scale a given Deployment by an autoscaler",
    "POST",
    at("horizontalpodautoscalers"),
    /scales Deployment tutor, which is the platform's/,
    autoscaler("mine", "tutor"),
  ],
  [
    "lead a given Service elsewhere",
    "PATCH",
    at("services/tutor"),
    platforms("Service 'tutor'"),
    { spec: { selector: { app: "mine" } } },
  ],
  [
    "make up a given ConfigMap",
    "POST",
    at("configmaps"),
    /has 'kubecamp.dev\/object=true', which only the platform may set/,
    { metadata: { name: "mine", labels: { "kubecamp.dev/object": "true" } } },
  ],
  ["change a copied Secret", "PATCH", registry, ofSecret, password],
  [
    "replace a copied Secret",
    "PUT",
    registry,
    ofSecret,
    { metadata: { name: "registry" }, type: "example.org/registry", ...password },
  ],
  ["freeze a copied Secret", "PATCH", registry, ofSecret, { immutable: true }],
  [
    "tie a copied Secret to an object of their own",
    "PATCH",
    registry,
    ofSecret,
    { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x" }] } },
  ],
  [
    "keep a copied Secret from going",
    "PATCH",
    registry,
    // Two policies refuse it, and the API server answers with either.
    /belongs to the platform|has the finalizer 'example.org\/never'/,
    { metadata: { finalizers: ["example.org/never"] } },
  ],
  ["delete a copied Secret", "DELETE", registry, ofSecret],
  [
    "keep a copied Secret from their pods' ServiceAccount",
    "PATCH",
    at("serviceaccounts/default"),
    /cannot patch resource .*serviceaccounts/,
    { imagePullSecrets: null },
  ],
  [
    "read where a copied Secret comes from",
    "GET",
    inside("platform", "secrets/registry"),
    /cannot get resource .*secrets/,
  ],
  [
    "have a claim taken for the content of a file",
    "POST",
    at("statefulsets"),
    new RegExp(`StatefulSet 'mine' has the key ${signatureKey}`),
    {
      metadata: { name: "mine" },
      spec: {
        selector: { matchLabels: { app: "mine" } },
        template: { metadata: { labels: { app: "mine" } }, spec: { containers: [{ name: "main", image: "main" }] } },
        volumeClaimTemplates: [
          {
            metadata: { name: "data", annotations: { [signatureKey]: "x" } },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    },
  ],
];
