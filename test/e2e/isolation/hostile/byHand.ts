import { create, type Group, inside, labels, named, patch, policy, template } from "./attempt.ts";

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
      { apiGroups: [""], resources: ["replicationcontrollers"], verbs: ["create"] },
      { apiGroups: [""], resources: ["replicationcontrollers/scale"], verbs: ["patch"] },
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

const replicated = (name: string, container: object = {}) =>
  named(name, { spec: { selector: labels, template: template({}, container) } });

/** Admission still refuses where a role that is not kubecamp's permits. */
export const byHand: Group = {
  on: "what a role made by hand would let them",
  attempts: [
    [
      "has a ReplicationController run an image off the list",
      create(own("replicationcontrollers"), replicated("mine", { image: "busybox" })),
      policy("images", "container 'web' has the image 'busybox'"),
      "ada",
    ],
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
      create(own("replicationcontrollers"), replicated("fine")),
      "ada",
    ],
  },
};
