import { signatureKey } from "../../../../config/names/pulumiMarks.ts";
import {
  type Attempt,
  claimSpec,
  create,
  get,
  inside,
  named,
  patch,
  refused,
  remove,
  statefulSet,
} from "../hostile/attempt.ts";

const at = (resource: string) => inside("ann", resource);
const course = at("configmaps/course");
const tutor = at("deployments/tutor");
const registry = at("secrets/registry");
const platforms = (what: string) => new RegExp(`${what} belongs to the platform`);
const password = { stringData: { password: "mine" } };

export const autoscaler = (name: string, target: string) => ({
  metadata: { name },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target }, minReplicas: 1, maxReplicas: 2 },
});

/** What ann tries with what the platform gives her. */
export const attempts: readonly Attempt[] = [
  ...refused(platforms("ConfigMap 'course'"), {
    "change a given ConfigMap": patch(course, { data: { hello: "mine" } }),
    "delete a given ConfigMap": remove(course),
    "delete all ConfigMaps at once": remove(at("configmaps")),
  }),
  [
    "relabel a given Deployment",
    patch(tutor, { metadata: { labels: { "app.kubernetes.io/managed-by": null, "kubecamp.dev/object": null } } }),
    platforms("Deployment 'tutor'"),
  ],
  ["scale a given Deployment", patch(`${tutor}/scale`, { spec: { replicas: 0 } }), platforms("Scale 'tutor'")],
  [
    "scale a given Deployment by an autoscaler",
    create(at("horizontalpodautoscalers"), autoscaler("mine", "tutor")),
    /scales Deployment tutor, which is the platform's/,
  ],
  [
    "lead a given Service elsewhere",
    patch(at("services/tutor"), { spec: { selector: { app: "mine" } } }),
    platforms("Service 'tutor'"),
  ],
  [
    "make up a given ConfigMap",
    create(at("configmaps"), { metadata: { name: "mine", labels: { "kubecamp.dev/object": "true" } } }),
    /has 'kubecamp.dev\/object=true', which only the platform may set/,
  ],
  ...refused(platforms("Secret 'registry'"), {
    "change a copied Secret": patch(registry, password),
    "replace a copied Secret": ({ ask }) =>
      ask("PUT", registry, named("registry", { type: "example.org/registry", ...password })),
    "freeze a copied Secret": patch(registry, { immutable: true }),
    "tie a copied Secret to an object of their own": patch(registry, {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x" }] },
    }),
    "delete a copied Secret": remove(registry),
  }),
  [
    "keep a copied Secret from going",
    patch(registry, { metadata: { finalizers: ["example.org/never"] } }),
    // Two policies refuse it, and the API server answers with either.
    /belongs to the platform|has the finalizer 'example.org\/never'/,
  ],
  [
    "keep a copied Secret from their pods' ServiceAccount",
    patch(at("serviceaccounts/default"), { imagePullSecrets: null }),
    /cannot patch resource .*serviceaccounts/,
  ],
  [
    "read where a copied Secret comes from",
    get(inside("platform", "secrets/registry")),
    /cannot get resource .*secrets/,
  ],
  [
    "have a claim taken for the content of a file",
    create(
      at("statefulsets"),
      statefulSet("mine", { metadata: { name: "data", annotations: { [signatureKey]: "x" } }, spec: claimSpec() }),
    ),
    new RegExp(`StatefulSet 'mine' has the key ${signatureKey}`),
  ],
];
