import { create, type Group, inside, named, patch, policy, refused, template } from "./attempt.ts";

const api = "rbac.authorization.k8s.io";
const namespace = "ada";
const own = (resource: string) => inside(namespace, resource);

/** Rights that a cluster's admin might grant to a member at home. */
export const rightsByHand = [
  {
    apiVersion: `${api}/v1`,
    kind: "Role",
    metadata: { name: "more", namespace },
    rules: [
      { apiGroups: [""], resources: ["endpoints", "podtemplates", "replicationcontrollers"], verbs: ["create"] },
      { apiGroups: [""], resources: ["replicationcontrollers/scale"], verbs: ["patch"] },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["create"] },
      { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs: ["create"] },
    ],
  },
  {
    apiVersion: `${api}/v1`,
    kind: "RoleBinding",
    metadata: { name: "more", namespace },
    roleRef: { apiGroup: api, kind: "Role", name: "more" },
    subjects: [{ apiGroup: api, kind: "User", name: "oidc:ada" }],
  },
];

const http = {
  paths: [{ path: "/vic", pathType: "Prefix", backend: { service: { name: "a", port: { number: 80 } } } }],
};
const ports = [{ port: 80 }];

/** Admission still refuses where a role that is not kubecamp's permits. */
export const byHand: Group = {
  on: "what a role made by hand would let them",
  attempts: [
    [
      "takes the neighbour's path, with the right to make Ingresses",
      create(own("ingresses"), named("mine", { spec: { rules: [{ host: "camp.test", http }] } })),
      policy("routes", "Ingress 'mine': only the platform makes routes"),
      "ada",
    ],
    [
      "leads a Service to a neighbour's pod, with the right to make Endpoints",
      create(own("endpoints"), named("mine", { subsets: [{ addresses: [{ ip: "10.0.0.7" }], ports }] })),
      policy("routes", "Endpoints 'mine': only Kubernetes itself writes where the Services"),
      "ada",
    ],
    [
      "leads a Service to a neighbour's pod, with the right to make EndpointSlices",
      create(
        own("endpointslices"),
        named("mine", { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.7"] }], ports }),
      ),
      policy("routes", "EndpointSlice 'mine': only Kubernetes itself writes where the Services"),
      "ada",
    ],
    ...refused(
      policy("images", "container 'web' has the image 'busybox'"),
      {
        "has a ReplicationController run an image off the list": create(
          own("replicationcontrollers"),
          named("mine", { spec: { selector: { app: "mallory" }, template: template({}, { image: "busybox" }) } }),
        ),
        "keeps a PodTemplate with an image off the list": create(
          own("podtemplates"),
          named("mine", { template: template({}, { image: "busybox" }) }),
        ),
      },
      "ada",
    ),
    [
      "has a ReplicationController run two billion pods",
      patch(own("replicationcontrollers/fine/scale"), { spec: { replicas: 2000000000 } }),
      policy(
        "amounts",
        "Scale 'fine' asks for 2000000000 pods at once \\(replicas\\), and namespace 'ada' may have 1000",
      ),
      "ada",
    ],
  ],
  controls: {
    "has a ReplicationController run an image on the list": [
      create(
        own("replicationcontrollers"),
        named("fine", { spec: { selector: { app: "mallory" }, template: template() } }),
      ),
      "ada",
    ],
  },
};
