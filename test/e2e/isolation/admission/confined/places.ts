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
    "a runtime that is not allowed",
    "POST",
    pods,
    named("a", { spec: { containers: [container()], runtimeClassName: "fast" } }),
    policy(
      "runtimes",
      "Pod 'a' has the RuntimeClass 'fast', and namespace 'ann' may only have gvisor, kata: add 'runtimeClassName: gvisor' to the pod's spec, or ask platform@example.org",
    ),
  ],
  [
    "one by a Deployment",
    "POST",
    deployments,
    deployment("a", { runtimeClassName: "fast" }),
    policy("runtimes", "Deployment 'a' has the RuntimeClass 'fast'"),
  ],
];

/** Nodes of others. */
export const pools: readonly Attempt[] = [
  [
    "other nodes of the same label",
    "POST",
    pods,
    placed({ nodeSelector: { pool: "cpu" } }),
    policy(
      "pools",
      `Pod 'a' does not run on the nodes of namespace 'ann' alone: have in the pod's spec 'nodeSelector: {"example.com/site":"lab","pool":"gpu"}' and 'tolerations: \\[{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoSchedule"}\\]', or ask platform@example.org`,
    ),
  ],
  ["a node by its name", "POST", pods, placed({ nodeName: "node-000000" }), policy("pods", "Pod 'a' goes to node")],
  [
    "another pool by its taint",
    "POST",
    pods,
    placed({ tolerations: [{ key: "dedicated", value: "cpu", effect: "NoSchedule" }] }),
    policy(
      "pools",
      "Pod 'a' tolerates 'dedicated', which keeps pods off the nodes of a pool that is not theirs: leave that toleration out, or ask",
    ),
  ],
  [
    "every pool that has the key",
    "POST",
    pods,
    placed({ tolerations: [{ key: "dedicated", operator: "Exists" }] }),
    policy("pools", "Pod 'a' tolerates 'dedicated'"),
  ],
  [
    "another pool by a taint of any value",
    "POST",
    pods,
    placed({ tolerations: [{ key: "example.com/cpu", value: "x" }] }),
    policy("pools", "Pod 'a' tolerates 'example.com/cpu'"),
  ],
  [
    "everything",
    "POST",
    pods,
    placed({ tolerations: [{ operator: "Exists" }] }),
    policy("pods", "Pod 'a' tolerates everything"),
  ],
  [
    "another pool by a Deployment",
    "POST",
    deployments,
    deployment("a", { tolerations: [{ key: "dedicated", value: "cpu" }] }),
    policy("pools", "Deployment 'a' tolerates 'dedicated'"),
  ],
  [
    "another pool by a running pod",
    "PATCH",
    `${pods}/plain`,
    { spec: { tolerations: [{ key: "dedicated", value: "cpu", effect: "NoSchedule" }] } },
    policy("pools", "Pod 'plain' tolerates 'dedicated'"),
  ],
];

/** The same by somebody without a pool. */
export const byBob: readonly Attempt[] = [
  [
    "a pool by its taint",
    "POST",
    pods,
    placed({ tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] }),
    policy("pools", "Pod 'a' tolerates 'dedicated'"),
  ],
  [
    "a pool by a taint with any effect",
    "POST",
    deployments,
    deployment("a", { tolerations: [{ key: "dedicated", value: "gpu" }] }),
    policy("pools", "Deployment 'a' tolerates 'dedicated'"),
  ],
  [
    "a pool by its label",
    "POST",
    pods,
    placed({ nodeSelector: { pool: "gpu" } }),
    policy(
      "pools",
      "Pod 'a' chooses nodes by 'pool', which are a pool's that is not theirs: leave it out of nodeSelector and nodeAffinity, or ask",
    ),
  ],
  [
    "a pool by affinity",
    "POST",
    pods,
    placed(affinity("pool", "In", ["x", "gpu"])),
    policy("pools", "Pod 'a' chooses"),
  ],
  ["any pool by affinity", "POST", pods, placed(affinity("pool", "Exists")), policy("pools", "Pod 'a' chooses")],
];

/** Users of the node. */
export const users: readonly Attempt[] = [
  [
    "those of the node",
    "POST",
    pods,
    placed({ hostUsers: true }),
    policy(
      "users",
      "Pod 'a' runs with the users of its node, which namespace 'ann' does not allow: add 'hostUsers: false' to the pod's spec, or ask platform@example.org",
    ),
  ],
  [
    "those by a Deployment",
    "POST",
    deployments,
    deployment("a", { hostUsers: true }),
    policy("users", "Deployment 'a' runs"),
  ],
];
