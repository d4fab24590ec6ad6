import { create, type Group, home, image, labels, named, patch, policy, rbac, template, workload } from "./attempt.ts";

const finalizers = ["mallory.example.org/never"];
const endless = (name: string) => ({ metadata: { name, finalizers } });
const stuck = (kind: string, name: string) =>
  policy("finalizers", `${kind} '${name}' has the finalizer 'mallory.example.org/never'`);
const tokenOf = (account: string) => ({
  metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": account } },
  type: "kubernetes.io/service-account-token",
});

const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } };
/** More than the API server would compare each with each. */
const manyTolerations = Array.from({ length: 3500 }, (_, index) => ({ key: `spot-${index}`, operator: "Exists" }));

/** What would be there when they are not. */
export const lasting: Group = {
  on: "what would outlast them",
  attempts: [
    [
      "makes a ConfigMap that is never gone, nor is the namespace then",
      create(home("configmaps"), endless("stuck")),
      stuck("ConfigMap", "stuck"),
    ],
    [
      "makes a pod that is never gone",
      create(home("pods"), { ...endless("stuck"), spec: { containers: [{ name: "web", image }] } }),
      stuck("Pod", "stuck"),
    ],
    [
      "has a Deployment make pods that are never gone",
      create(home("deployments"), {
        ...named("stuck"),
        spec: { selector: { matchLabels: labels }, template: { ...template(), metadata: { labels, finalizers } } },
      }),
      stuck("Deployment", "stuck"),
    ],
    [
      "has a CronJob make them",
      create(home("cronjobs"), {
        ...named("stuck"),
        spec: {
          schedule: "* * * * *",
          jobTemplate: { spec: { template: { ...template({ restartPolicy: "Never" }), metadata: { finalizers } } } },
        },
      }),
      stuck("CronJob", "stuck"),
    ],
    [
      "has a StatefulSet make claims that are never gone",
      create(home("statefulsets"), {
        ...named("stuck"),
        spec: {
          selector: { matchLabels: labels },
          template: template(),
          volumeClaimTemplates: [{ metadata: { name: "data", finalizers }, spec: claim }],
        },
      }),
      stuck("StatefulSet", "stuck"),
    ],
    [
      "has a ConfigMap never go that is there",
      patch(home("configmaps/here"), { metadata: { finalizers } }),
      stuck("ConfigMap", "here"),
    ],
    [
      "names a finalizer that Kubernetes takes off other kinds",
      patch(home("configmaps/here"), { metadata: { finalizers: ["kubernetes.io/pvc-protection"] } }),
      policy("finalizers", "ConfigMap 'here' has the finalizer 'kubernetes.io/pvc-protection'"),
    ],
    [
      "keeps the victim's namespace from being gone, as its child",
      create(home("configmaps"), {
        metadata: {
          name: "child",
          finalizers,
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "Namespace",
              name: "vic",
              uid: "6f1d0c4e-0000-4000-8000-000000000000",
              blockOwnerDeletion: true,
            },
          ],
        },
      }),
      stuck("ConfigMap", "child"),
    ],
    [
      "has a token made that ends in ten years",
      create(home("serviceaccounts/default/token"), { spec: { expirationSeconds: 315360000 } }),
      rbac("create", "serviceaccounts/token"),
    ],
    [
      "has a Secret filled with a token that never ends",
      create(home("secrets"), tokenOf("default")),
      policy("routes", "Secret 'token': Kubernetes would fill it with a token that never ends"),
    ],
    [
      "has it filled with a controller's",
      create(home("secrets"), tokenOf("namespace-controller")),
      policy("routes", "Secret 'token': Kubernetes would fill it with a token that never ends"),
    ],
  ],
  controls: [
    ["makes a ConfigMap", create(home("configmaps"), named("here"))],
    [
      "changes a Deployment as large as they come, as does whoever takes a finalizer off it",
      async (caller, sandbox) => {
        const path = home("deployments/large");
        const large = workload("large", { tolerations: manyTolerations });
        const made = await create(home("deployments"), { ...large, spec: { ...large.spec, replicas: 0 } })(
          caller,
          sandbox,
        );
        const labelled = made.status === 201 ? await patch(path, { metadata: { labels } })(caller, sandbox) : made;
        const podsOf = {
          spec: { template: { spec: { tolerations: [...manyTolerations, { key: "spot", operator: "Exists" }] } } },
        };
        return labelled.status === 200 ? patch(path, podsOf)(caller, sandbox) : labelled;
      },
    ],
    [
      "deletes a Deployment when its pods are gone, which takes a finalizer",
      async (caller, sandbox) => {
        const path = home("deployments/here");
        const made = await create(home("deployments"), {
          ...named("here"),
          spec: {
            selector: { matchLabels: { app: "here" } },
            template: { metadata: { labels: { app: "here" } }, spec: { containers: [{ name: "web", image }] } },
          },
        })(caller, sandbox);
        return made.status === 201 ? caller.ask("DELETE", path, { propagationPolicy: "Foreground" }) : made;
      },
    ],
  ],
};
