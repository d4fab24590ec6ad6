import { type Attempt, container, deployment, deployments, named, placed, pods, policy } from "./attempt.ts";

export const affinity = (key: string, operator: string, values?: readonly string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] }],
      },
    },
  },
});

/** Runtimes that ann's pods may not have. */
export const runtimes: readonly Attempt[] = [
  [
    "refuses a RuntimeClass that the type does not allow",
    "POST",
    pods,
    named("a", { spec: { containers: [container()], runtimeClassName: "fast" } }),
    policy(
      "runtimes",
      "Pod 'a' has the RuntimeClass 'fast', and namespace 'ann' may only have gvisor, kata: add 'runtimeClassName: gvisor' to the pod's spec, or ask platform@example.org",
    ),
  ],
  [
    "refuses a RuntimeClass that the type does not allow, by a Deployment",
    "POST",
    deployments,
    deployment("a", { runtimeClassName: "fast" }),
    policy("runtimes", "Deployment 'a' has the RuntimeClass 'fast'"),
  ],
];

/** Nodes of others. */
export const pools: readonly Attempt[] = [
  [
    "refuses a pod for other nodes of the pool's label",
    "POST",
    pods,
    placed({ nodeSelector: { pool: "cpu" } }),
    policy(
      "pools",
      `Pod 'a' does not run on the nodes of namespace 'ann' alone: have in the pod's spec 'nodeSelector: {"example.com/site":"lab","pool":"gpu"}' and 'tolerations: \\[{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoSchedule"}\\]', or ask platform@example.org`,
    ),
  ],
  [
    "refuses a pod for a node by its name",
    "POST",
    pods,
    placed({ nodeName: "node-000000" }),
    policy("pods", "Pod 'a' goes to node"),
  ],
  [
    "refuses a pod that tolerates another pool's taint",
    "POST",
    pods,
    placed({ tolerations: [{ key: "dedicated", value: "cpu", effect: "NoSchedule" }] }),
    policy(
      "pools",
      "Pod 'a' tolerates 'dedicated', which keeps pods off the nodes of a pool that is not theirs: leave that toleration out, or ask",
    ),
  ],
  [
    "refuses a pod that tolerates any pool of the taint's key",
    "POST",
    pods,
    placed({ tolerations: [{ key: "dedicated", operator: "Exists" }] }),
    policy("pools", "Pod 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a pod that tolerates a taint of another pool with any value",
    "POST",
    pods,
    placed({ tolerations: [{ key: "example.com/cpu", value: "x" }] }),
    policy("pools", "Pod 'a' tolerates 'example.com/cpu'"),
  ],
  [
    "refuses a pod that tolerates everything",
    "POST",
    pods,
    placed({ tolerations: [{ operator: "Exists" }] }),
    policy("pods", "Pod 'a' tolerates everything"),
  ],
  [
    "refuses a Deployment that tolerates another pool's taint",
    "POST",
    deployments,
    deployment("a", { tolerations: [{ key: "dedicated", value: "cpu" }] }),
    policy("pools", "Deployment 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a running pod another pool's toleration",
    "PATCH",
    `${pods}/plain`,
    { spec: { tolerations: [{ key: "dedicated", value: "cpu", effect: "NoSchedule" }] } },
    policy("pools", "Pod 'plain' tolerates 'dedicated'"),
  ],
];

/** The same by somebody without a pool. */
export const byBob: readonly Attempt[] = [
  [
    "refuses a member without a pool the toleration of a pool's taint",
    "POST",
    pods,
    placed({ tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] }),
    policy("pools", "Pod 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a member without a pool the toleration of a taint's every effect",
    "POST",
    deployments,
    deployment("a", { tolerations: [{ key: "dedicated", value: "gpu" }] }),
    policy("pools", "Deployment 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a member without a pool a pool's nodes by their label",
    "POST",
    pods,
    placed({ nodeSelector: { pool: "gpu" } }),
    policy(
      "pools",
      "Pod 'a' chooses nodes by 'pool', which are a pool's that is not theirs: leave it out of nodeSelector and nodeAffinity, or ask",
    ),
  ],
  [
    "refuses a member without a pool a pool's nodes by affinity",
    "POST",
    pods,
    placed(affinity("pool", "In", ["x", "gpu"])),
    policy("pools", "Pod 'a' chooses"),
  ],
  [
    "refuses a member without a pool the nodes of any pool by affinity",
    "POST",
    pods,
    placed(affinity("pool", "Exists")),
    policy("pools", "Pod 'a' chooses"),
  ],
];

/** Users of the node. */
export const users: readonly Attempt[] = [
  [
    "refuses a pod the users of its node",
    "POST",
    pods,
    placed({ hostUsers: true }),
    policy(
      "users",
      "Pod 'a' runs with the users of its node, which namespace 'ann' does not allow: add 'hostUsers: false' to the pod's spec, or ask platform@example.org",
    ),
  ],
  [
    "refuses a Deployment's pods the users of their node",
    "POST",
    deployments,
    deployment("a", { hostUsers: true }),
    policy("users", "Deployment 'a' runs"),
  ],
];
