import { claimSpec, deploy, type Group, make, many, named, policy, refused, run, tooMany } from "./attempt.ts";

const away = (term: object) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/os", labelSelector: {}, ...term }],
    },
  },
});
const volume = (source: object) => ({ volumes: [{ name: "data", ...source }] });
const preferring = (nodes: number, values: number) => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: many(nodes, (index) => ({
        weight: 1,
        preference: {
          matchExpressions: [{ key: `k-${index}`, operator: "In", values: many(values, (value) => `v-${value}`) }],
        },
      })),
    },
  },
});
const apart = (count: number) => ({
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: many(count, (index) => ({
        weight: 1,
        podAffinityTerm: { topologyKey: "kubernetes.io/os", labelSelector: { matchLabels: { app: `app-${index}` } } },
      })),
    },
  },
});
const tolerant = (count: number) => ({
  tolerations: many(count, (index) => ({ key: `k-${index}`, operator: "Exists" })),
});
const spread = (count: number) => ({
  topologySpreadConstraints: many(count, (index) => ({
    topologyKey: `k-${index}`,
    maxSkew: 1,
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: { app: "mallory" } },
  })),
});
const slow = policy("amounts", "has [0-9]+ terms, .* which the scheduler compares with every node: leave it at 100");

const slowToJudge = tooMany(
  "pods",
  "terms, .* which the scheduler compares with every node|tolerations, volumes with their sources, ",
);
const nearIts = (times: number) => ({
  affinity: {
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 1,
          podAffinityTerm: { topologyKey: "a", labelSelector: {}, namespaces: many(times, () => "mallory") },
        },
      ],
    },
  },
});

/** Pods that would displace others' pods or run on forbidden nodes. */
export const placement: Group = {
  on: "the nodes that others' pods are on",
  attempts: [
    ...refused(/the integer value of priority .* must not be provided/, {
      "gives a pod a priority by number": run("s", { priority: 1000000000 }),
    }),
    [
      "runs a pod where k3s and AKS run their control plane",
      run("v", { tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists" }] }),
      policy("pods", "tolerates 'CriticalAddonsOnly', which keeps pods off the control plane's nodes"),
    ],
    [
      "runs a pod that takes ten years to end when a node is drained",
      run("endless", { terminationGracePeriodSeconds: 315360000 }),
      policy("pods", "takes 315360000 seconds to end"),
    ],
    ["has the scheduler mind 1,000 wishes about nodes", run("slow", preferring(1000, 1)), slow],
    ["has the scheduler look for each node in 10,000 values", run("slow", preferring(1, 10_000)), slow],
    ["has a Deployment's pods spread by 101 rules", deploy("slow", spread(101)), slow],
    [
      "chooses a pod's nodes by 101 labels",
      run("slow", { nodeSelector: Object.fromEntries(many(101, (index) => [`k-${index}`, ""])) }),
      slow,
    ],
    ["has the scheduler compare a pod with all others 1,000 times", run("slow", apart(1000)), slowToJudge],
    ["has the scheduler mind 1,000 tolerations", run("slow", tolerant(1000)), slowToJudge],
    ["has the API server look for bad tolerations among 10,000", run("slow", tolerant(10_000)), slowToJudge],
    ...refused(
      policy("pods", "has [0-9]+ tolerations, .* which the API server would be long busy with: leave it at 1000"),
      {
        "has the API server ask 10,000 times whether a namespace is theirs": run("slow", nearIts(10_000)),
      },
    ),
  ],
  controls: {
    "says where a Deployment's pods are to be, as charts do": deploy("placed", {
      ...{ ...tolerant(10), ...spread(2), nodeSelector: { "kubernetes.io/os": "linux" } },
      affinity: { ...preferring(2, 20).affinity, ...apart(3).affinity },
    }),
    "runs a Deployment that keeps its own pods apart": deploy("spread", {
      ...away({ labelSelector: { matchLabels: { app: "mallory" } } }),
      volumes: [{ name: "data", emptyDir: {} }],
    }),
    "runs a pod near others of its namespace, named 100 times": run("near", nearIts(100)),
    "makes a PersistentVolumeClaim": make("persistentvolumeclaims", named("data", { spec: claimSpec({}, "100Mi") })),
    "runs a pod that mounts a PersistentVolumeClaim": run(
      "mounts",
      volume({ persistentVolumeClaim: { claimName: "data" } }),
    ),
  },
};
