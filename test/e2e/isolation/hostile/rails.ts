import { create, type Group, get, home, inside, labels, named, patch, rbac, remove } from "./attempt.ts";

const everything = { podSelector: {}, policyTypes: ["Ingress", "Egress"], ingress: [{}], egress: [{}] };
const namespace = "/api/v1/namespaces/mallory";
const label = (key: string, value: string | null) => ({ metadata: { labels: { [key]: value } } });

/** The platform's guards in a member's own namespace. */
export const rails: Group = {
  on: "what guards them",
  attempts: [
    [
      "takes Pod Security off their own namespace",
      patch(namespace, label("pod-security.kubernetes.io/enforce", "privileged")),
      rbac("patch", "namespaces"),
    ],
    [
      "takes their own namespace out of the stack's policies",
      patch(namespace, label("kubecamp.dev/stack", null)),
      rbac("patch", "namespaces"),
    ],
    [
      "allows themselves any image",
      patch(namespace, {
        metadata: { annotations: { "kubecamp.dev/images": null, "kubecamp.dev/image-rules": null } },
      }),
      rbac("patch", "namespaces"),
    ],
    [
      "allows themselves a high priority",
      patch(namespace, { metadata: { annotations: { "kubecamp.dev/priority-classes": "system-node-critical" } } }),
      rbac("patch", "namespaces"),
    ],
    [
      "allows one object of theirs any number of pods",
      patch(namespace, { metadata: { annotations: { "kubecamp.dev/max-pods": "2000000000" } } }),
      rbac("patch", "namespaces"),
    ],
    [
      "lets another stack take their namespace over",
      patch(namespace, { metadata: { annotations: { "kubecamp.dev/adopt": "theirs" } } }),
      rbac("patch", "namespaces"),
    ],
    [
      "changes their namespace's labels by its status",
      patch(`${namespace}/status`, label("kubecamp.dev/stack", null)),
      rbac("patch", "namespaces/status"),
    ],
    [
      "writes their namespace's finalizers",
      ({ ask }) => ask("PUT", `${namespace}/finalize`, named("mallory")),
      rbac("update", "namespaces/finalize"),
    ],
    [
      "makes a namespace that nothing guards",
      create("/api/v1/namespaces", named("free")),
      rbac("create", "namespaces"),
    ],
    ["deletes their namespace, to be made anew without quota", remove(namespace), rbac("delete", "namespaces")],
    [
      "raises their quota",
      patch(home("resourcequotas/quota"), { spec: { hard: { "limits.cpu": "64" } } }),
      rbac("patch", "resourcequotas"),
    ],
    [
      "writes into the quota's status that nothing is used",
      patch(home("resourcequotas/quota/status"), { status: { used: { "limits.cpu": "0" } } }),
      rbac("patch", "resourcequotas/status"),
    ],
    ["deletes their quota", remove(home("resourcequotas/quota")), rbac("delete", "resourcequotas")],
    [
      "deletes the LimitRange of containers and volumes",
      remove(home("limitranges/default-limits")),
      rbac("delete", "limitranges"),
    ],
    [
      "makes a LimitRange of their own",
      create(home("limitranges"), named("mine", { spec: { limits: [{ type: "Container", default: { cpu: "1m" } }] } })),
      rbac("create", "limitranges"),
    ],
    [
      "widens their network policy",
      patch(home("networkpolicies/isolation"), { spec: everything }),
      rbac("patch", "networkpolicies.networking.k8s.io"),
    ],
    [
      "adds a network policy that lets everything through",
      create(home("networkpolicies"), named("open", { spec: everything })),
      rbac("create", "networkpolicies.networking.k8s.io"),
    ],
    [
      "deletes their network policy",
      remove(home("networkpolicies/isolation")),
      rbac("delete", "networkpolicies.networking.k8s.io"),
    ],
    [
      "has the default ServiceAccount's token in every pod",
      patch(home("serviceaccounts/default"), { automountServiceAccountToken: true }),
      rbac("patch", "serviceaccounts"),
    ],
    ["deletes the default ServiceAccount", remove(home("serviceaccounts/default")), rbac("delete", "serviceaccounts")],
    ["makes a ServiceAccount", create(home("serviceaccounts"), named("robot")), rbac("create", "serviceaccounts")],
    [
      "keeps nodes from being drained with a PodDisruptionBudget",
      create(
        home("poddisruptionbudgets"),
        named("never", { spec: { maxUnavailable: 0, selector: { matchLabels: labels } } }),
      ),
      rbac("create", "poddisruptionbudgets.policy"),
    ],
    [
      "makes an Event in the name of kubecamp",
      create(
        home("events"),
        named("lie", {
          involvedObject: { kind: "Namespace", name: "mallory", namespace: "mallory" },
          reason: "RouteOpened",
        }),
      ),
      rbac("create", "events"),
    ],
    ["deletes the Events in their namespace", remove(home("events")), rbac("deletecollection", "events")],
    [
      "takes a Lease, as leaders are elected by",
      create(inside("kube-system", "leases"), named("kube-scheduler-2")),
      rbac("create", "leases.coordination.k8s.io"),
    ],
    ["reads the quota of another member", get(inside("vic", "resourcequotas")), rbac("list", "resourcequotas")],
  ],
  controls: [
    ["sees their namespace with its annotations", get(namespace)],
    ["sees their quota", get(home("resourcequotas/quota"))],
    ["sees their network policy", get(home("networkpolicies/isolation"))],
    [
      "makes a ConfigMap in their namespace",
      create(home("configmaps"), named("settings", { data: { colour: "blue" } })),
    ],
    ["makes a Secret in their namespace", create(home("secrets"), named("key", { stringData: { password: "mine" } }))],
  ],
};
