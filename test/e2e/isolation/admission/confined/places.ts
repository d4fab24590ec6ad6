import { type Attempt, merge, refused } from "../../hostile/attempt.ts";
import { deploys, pods, policy, runs } from "./attempt.ts";

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
    runs({ runtimeClassName: "fast" }),
    policy(
      "runtimes",
      "Pod 'a' has the RuntimeClass 'fast', and namespace 'ann' may only have gvisor, kata: add 'runtimeClassName: gvisor' to the pod's spec, or ask platform@example.org",
    ),
  ],
  ...refused(policy("runtimes", "Deployment 'a' has the RuntimeClass 'fast'"), {
    "refuses a RuntimeClass that the type does not allow, by a Deployment": deploys({ runtimeClassName: "fast" }),
  }),
];

const ofCpu = { tolerations: [{ key: "dedicated", value: "cpu", effect: "NoSchedule" }] };

/** Nodes of others. */
export const pools: readonly Attempt[] = [
  [
    "refuses a pod for other nodes of the pool's label",
    runs({ nodeSelector: { pool: "cpu" } }),
    policy(
      "pools",
      `Pod 'a' does not run on the nodes of namespace 'ann' alone: have in the pod's spec 'nodeSelector: {"example.com/site":"lab","pool":"gpu"}' and 'tolerations: \\[{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoSchedule"}\\]', or ask platform@example.org`,
    ),
  ],
  ["refuses a pod for a node by its name", runs({ nodeName: "node-000000" }), policy("pods", "Pod 'a' goes to node")],
  [
    "refuses a pod that tolerates another pool's taint",
    runs(ofCpu),
    policy(
      "pools",
      "Pod 'a' tolerates 'dedicated', which keeps pods off the nodes of a pool that is not theirs: leave that toleration out, or ask",
    ),
  ],
  [
    "refuses a pod that tolerates any pool of the taint's key",
    runs({ tolerations: [{ key: "dedicated", operator: "Exists" }] }),
    policy("pools", "Pod 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a pod that tolerates a taint of another pool with any value",
    runs({ tolerations: [{ key: "example.com/cpu", value: "x" }] }),
    policy("pools", "Pod 'a' tolerates 'example.com/cpu'"),
  ],
  ...refused(policy("pods", "Pod 'a' tolerates everything"), {
    "refuses a pod that tolerates everything": runs({ tolerations: [{ operator: "Exists" }] }),
  }),
  [
    "refuses a Deployment that tolerates another pool's taint",
    deploys({ tolerations: [{ key: "dedicated", value: "cpu" }] }),
    policy("pools", "Deployment 'a' tolerates 'dedicated'"),
  ],
  ...refused(policy("pools", "Pod 'plain' tolerates 'dedicated'"), {
    "refuses a running pod another pool's toleration": merge(`${pods}/plain`, { spec: ofCpu }),
  }),
];

/** The same by somebody without a pool. */
export const byBob: readonly Attempt[] = [
  [
    "refuses a member without a pool the toleration of a pool's taint",
    runs({ tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] }, "bob"),
    policy("pools", "Pod 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a member without a pool the toleration of a taint's every effect",
    deploys({ tolerations: [{ key: "dedicated", value: "gpu" }] }, "bob"),
    policy("pools", "Deployment 'a' tolerates 'dedicated'"),
  ],
  [
    "refuses a member without a pool a pool's nodes by their label",
    runs({ nodeSelector: { pool: "gpu" } }, "bob"),
    policy(
      "pools",
      "Pod 'a' chooses nodes by 'pool', which are a pool's that is not theirs: leave it out of nodeSelector and nodeAffinity, or ask",
    ),
  ],
  ...refused(policy("pools", "Pod 'a' chooses"), {
    "refuses a member without a pool a pool's nodes by affinity": runs(affinity("pool", "In", ["x", "gpu"]), "bob"),
    "refuses a member without a pool the nodes of any pool by affinity": runs(affinity("pool", "Exists"), "bob"),
  }),
];

/** Users of the node. */
export const users: readonly Attempt[] = [
  [
    "refuses a pod the users of its node",
    runs({ hostUsers: true }),
    policy(
      "users",
      "Pod 'a' runs with the users of its node, which namespace 'ann' does not allow: add 'hostUsers: false' to the pod's spec, or ask platform@example.org",
    ),
  ],
  ...refused(policy("users", "Deployment 'a' runs"), {
    "refuses a Deployment's pods the users of their node": deploys({ hostUsers: true }),
  }),
];
