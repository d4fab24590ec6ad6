import {
  change,
  create,
  type Group,
  get,
  home,
  inside,
  labels,
  make,
  named,
  patch,
  rbac,
  refused,
  remove,
} from "./attempt.ts";

const everything = { podSelector: {}, policyTypes: ["Ingress", "Egress"], ingress: [{}], egress: [{}] };
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
      "allows themselves any image": patch(namespace, {
        metadata: { annotations: { "kubecamp.dev/images": null, "kubecamp.dev/image-rules": null } },
      }),
      "allows themselves a high priority": patch(namespace, {
        metadata: { annotations: { "kubecamp.dev/priority-classes": "system-node-critical" } },
      }),
      "allows one object of theirs any number of pods": patch(namespace, {
        metadata: { annotations: { "kubecamp.dev/max-pods": "2000000000" } },
      }),
      "lets another stack take their namespace over": patch(namespace, {
        metadata: { annotations: { "kubecamp.dev/adopt": "theirs" } },
      }),
    }),
    [
      "changes their namespace's labels by its status",
      patch(`${namespace}/status`, label("kubecamp.dev/stack", null)),
      rbac("patch", "namespaces/status"),
    ],
    ...refused(rbac("update", "namespaces/finalize"), {
      "writes their namespace's finalizers": ({ ask }) => ask("PUT", `${namespace}/finalize`, named("mallory")),
    }),
    ...refused(rbac("create", "namespaces"), {
      "makes a namespace that nothing guards": create("/api/v1/namespaces", named("free")),
    }),
    ["deletes their namespace, to be made anew without quota", remove(namespace), rbac("delete", "namespaces")],
    ...refused(rbac("patch", "resourcequotas"), {
      "raises their quota": change("resourcequotas/quota", { spec: { hard: { "limits.cpu": "64" } } }),
    }),
    [
      "writes into the quota's status that nothing is used",
      change("resourcequotas/quota/status", { status: { used: { "limits.cpu": "0" } } }),
      rbac("patch", "resourcequotas/status"),
    ],
    ["deletes their quota", remove(home("resourcequotas/quota")), rbac("delete", "resourcequotas")],
    ...refused(rbac("delete", "limitranges"), {
      "deletes the LimitRange of containers and volumes": remove(home("limitranges/default-limits")),
    }),
    [
      "makes a LimitRange of their own",
      make("limitranges", named("mine", { spec: { limits: [{ type: "Container", default: { cpu: "1m" } }] } })),
      rbac("create", "limitranges"),
    ],
    ...refused(rbac("patch", "networkpolicies.networking.k8s.io"), {
      "widens their network policy": change("networkpolicies/isolation", { spec: everything }),
    }),
    [
      "adds a network policy that lets everything through",
      make("networkpolicies", named("open", { spec: everything })),
      rbac("create", "networkpolicies.networking.k8s.io"),
    ],
    ...refused(rbac("delete", "networkpolicies.networking.k8s.io"), {
      "deletes their network policy": remove(home("networkpolicies/isolation")),
    }),
    [
      "has the default ServiceAccount's token in every pod",
      change("serviceaccounts/default", { automountServiceAccountToken: true }),
      rbac("patch", "serviceaccounts"),
    ],
    ["deletes the default ServiceAccount", remove(home("serviceaccounts/default")), rbac("delete", "serviceaccounts")],
    ["makes a ServiceAccount", make("serviceaccounts", named("robot")), rbac("create", "serviceaccounts")],
    [
      "keeps nodes from being drained with a PodDisruptionBudget",
      make("poddisruptionbudgets", named("never", { spec: { maxUnavailable: 0, selector: { matchLabels: labels } } })),
      rbac("create", "poddisruptionbudgets.policy"),
    ],
    ...refused(rbac("create", "events"), {
      "makes an Event in the name of kubecamp": make(
        "events",
        named("lie", {
          involvedObject: { kind: "Namespace", name: "mallory", namespace: "mallory" },
          reason: "RouteOpened",
        }),
      ),
    }),
    ["deletes the Events in their namespace", remove(home("events")), rbac("deletecollection", "events")],
    ...refused(rbac("create", "leases.coordination.k8s.io"), {
      "takes a Lease, as leaders are elected by": create(inside("kube-system", "leases"), named("kube-scheduler-2")),
    }),
    ["reads the quota of another member", get(inside("vic", "resourcequotas")), rbac("list", "resourcequotas")],
  ],
  controls: {
    "sees their namespace with its annotations": get(namespace),
    "sees their quota": get(home("resourcequotas/quota")),
    "sees their network policy": get(home("networkpolicies/isolation")),
    "makes a ConfigMap in their namespace": make("configmaps", named("settings", { data: { colour: "blue" } })),
    "makes a Secret in their namespace": make("secrets", named("key", { stringData: { password: "mine" } })),
  },
};
