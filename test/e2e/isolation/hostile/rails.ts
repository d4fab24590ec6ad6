import { change, type Group, get, home, labels, make, named, patch, rbac, refused, remove } from "./attempt.ts";

const namespace = "/api/v1/namespaces/mallory";
const label = (key: string, value: string | null) => ({ metadata: { labels: { [key]: value } } });

/** The platform's guards in a member's own namespace. */
export const rails: Group = {
  on: "what guards them",
  attempts: [
    ...refused(rbac("patch", "namespaces"), {
      "takes Pod Security off their own namespace": patch(
        namespace,
        label("pod-security.kubernetes.io/enforce", "privileged"),
      ),
      "takes their own namespace out of the stack's policies": patch(namespace, label("kubecamp.dev/stack", null)),
    }),
    ...refused(rbac("update", "namespaces/finalize"), {
      "writes their namespace's finalizers": ({ ask }) => ask("PUT", `${namespace}/finalize`, named("mallory")),
    }),
    ["deletes their namespace, to be made anew without quota", remove(namespace), rbac("delete", "namespaces")],
    ...refused(rbac("patch", "resourcequotas"), {
      "raises their quota": change("resourcequotas/quota", { spec: { hard: { "limits.cpu": "64" } } }),
    }),
    ...refused(rbac("delete", "networkpolicies.networking.k8s.io"), {
      "deletes their network policy": remove(home("networkpolicies/isolation")),
    }),
    [
      "has the default ServiceAccount's token in every pod",
      change("serviceaccounts/default", { automountServiceAccountToken: true }),
      rbac("patch", "serviceaccounts"),
    ],
    [
      "keeps nodes from being drained with a PodDisruptionBudget",
      make("poddisruptionbudgets", named("never", { spec: { maxUnavailable: 0, selector: { matchLabels: labels } } })),
      rbac("create", "poddisruptionbudgets.policy"),
    ],
  ],
  controls: {
    "sees their namespace with its annotations": get(namespace),
    "sees their quota": get(home("resourcequotas/quota")),
    "sees their network policy": get(home("networkpolicies/isolation")),
    "makes a ConfigMap in their namespace": make("configmaps", named("settings", { data: { colour: "blue" } })),
    "makes a Secret in their namespace": make("secrets", named("key", { stringData: { password: "mine" } })),
  },
};
