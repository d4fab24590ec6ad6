import assert from "node:assert/strict";
import { verifyName } from "../../../config/names/names.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import type { Proof } from "./proof.ts";

const memberTypes = {
  lab: { home: "view", podSecurity: "restricted", images: ["ghcr.io/acme/*:1.*"] },
  gpu: {
    devices: { "nvidia.com/gpu": 1 },
    storage: { fast: "20Gi" },
    runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
    pool: { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] },
    userNamespaces: "required",
  },
  "guest-user": { quota: false },
};
const members: readonly Entry[] = [
  { member: "ada", type: "user" },
  { member: "gus", type: "guest-user" },
  { member: "lou", type: "lab" },
  { member: "gia", type: "gpu" },
];
const classes = [
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner: "example.org/disk",
  },
  { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: { name: "gvisor" }, handler: "gvisor" },
];

/** Promises of the part `admission`, with how many attempts something else than the stack's policies refuses too. */
const ofAdmission: Readonly<Record<string, number>> = {
  // The quota refuses Services of two types.
  "Services lead to pods of their namespace, from within the cluster": 6,
  // Pod Security refuses all but probes and hooks, which it judges in no Deployment.
  "Pods don't reach the node": 42,
  // `restricted` has no such volume.
  "Pods don't displace others": 1,
  "Nobody exceeds the amounts": 0,
  "Nothing outlasts a member": 0,
  "Only the platform writes kubecamp's objects in members' namespaces": 0,
  "No annotation of members' pods chooses another network or address, or keeps a node from being removed": 0,
  "Claims choose no volume, and don't say that they are bound": 0,
  "Pods have only the devices of their type": 0,
  "Claims have only the StorageClasses of their type": 0,
  "Pods have only the RuntimeClasses of their type": 0,
  "Pods run on the nodes of their type, and on no pool of others": 0,
  "Root in pods is nobody on the node": 0,
  "Tokens for CI jobs are good for an hour at most, for the API server alone, and in no pod": 0,
  "No hand-made role lets anybody make routes, or say where Services lead": 0,
  "Only listed images run": 0,
  "Who may restart a workload changes nothing else of it": 0,
};
const [services = "", nodes = ""] = Object.keys(ofAdmission);
const ofLimits = {
  defaults: "Containers that state no resources get those of the settings",
  figures: "The quota in force is that of the settings",
  share: "Nobody exceeds their share of CPU, memory, storage and devices",
  counts: "Nobody makes more objects than their quota has",
};

/** Who tries what a member may only look at. */
const byLab = "a user with a hand-made role (type lab)";

describe("kubecamp verify of what admission and quotas hold", () => {
  const stack = useStack("verify");
  const verify = async (only: string) => {
    const args = ["verify", "--stack", stack.name, "--only", only, "-o", "json"];
    const env = { KUBECONFIG: stack.sandbox.kubeconfig };
    const { exitCode, stdout, stderr } = await kubecamp(args, { cwd: stack.folder, env });
    assert.notEqual(stdout, "", stderr);
    const { proofs } = JSON.parse(stdout) as { proofs: readonly Proof[] };
    return {
      exitCode,
      proofs,
      results: Object.fromEntries(proofs.map(({ promise, result }) => [promise, result])),
      detailsOf: (wanted: string) => proofs.find(({ promise }) => promise === wanted)?.details ?? assert.fail(wanted),
    };
  };
  /** The first of two members of a type, in the order of types' names. */
  const namespaceOf = (type: string) =>
    verifyName({ stack: stack.name }, 1 + 2 * ["gpu", "guest-user", "lab", "user"].indexOf(type));
  /** What somebody else's controller does as soon as it can. */
  const soon = (act: () => Promise<void>) =>
    until(() =>
      act().then(
        () => true,
        () => false,
      ),
    );
  const soonPatched = (kind: string, name: string, namespace: string | undefined, change: object) =>
    soon(() => stack.sandbox.patch(kind, name, namespace, change));

  before(async () => {
    await stack.sandbox.apply(...classes);
    await stack.configure(members, { memberTypes, ci: {}, staff: [{ subject: "tom", role: "assist" }] });
    await stack.upFine();
  });
  after(() => Promise.all(classes.map(({ kind, metadata }) => stack.delete(kind.toLowerCase(), metadata.name))));

  it("finds each promise held", async () => {
    const { exitCode, proofs, results } = await verify("admission,limits");
    const all = [...Object.keys(ofAdmission), ...Object.values(ofLimits)];
    assert.deepEqual(results, Object.fromEntries(all.map((promise) => [promise, "held"])), JSON.stringify(proofs));
    assert.equal(exitCode, 0);
  });

  it("finds limits broken that somebody changed, and none where another's quota refuses all pods", async () => {
    const theirs = { apiVersion: "v1", kind: "ResourceQuota", spec: { hard: { pods: "0" } } };
    const got = { memory: "100Mi", "ephemeral-storage": "1000Mi" };
    const limits = [
      { type: "Container", default: { ...got, cpu: "200m" }, defaultRequest: { ...got, cpu: "200m" } },
      { type: "PersistentVolumeClaim", max: { storage: "1Ti" } },
    ];
    const [{ exitCode, results, detailsOf }] = await Promise.all([
      verify("limits"),
      soon(() => stack.sandbox.apply({ ...theirs, metadata: { name: "theirs", namespace: namespaceOf("gpu") } })),
      soonPatched("limitrange", "default-limits", namespaceOf("lab"), { spec: { limits } }),
      soonPatched("resourcequota", "quota", namespaceOf("user"), { spec: { hard: { pods: "100" } } }),
    ]);
    const { defaults, figures, share, counts } = ofLimits;
    assert.deepEqual(results, { [defaults]: "broken", [figures]: "broken", [share]: "broken", [counts]: "held" });
    assert.equal(exitCode, 1);
    assert.deepEqual(detailsOf(figures), [
      {
        ...{ by: "a member of type user", is: "broken" },
        tried: `read the ResourceQuota of '${namespaceOf("user")}'`,
        came: "pods is 100 instead of 50",
      },
    ]);
    assert.deepEqual(
      [...detailsOf(defaults), ...detailsOf(share)]
        .filter(({ is }) => is === "broken")
        .map(({ by, tried, came }) => [by, tried, came]),
      [
        [
          byLab,
          "ran a container that states no resources",
          "its limit of cpu is 200m instead of 100m, its request of cpu is 200m instead of 100m, its request of ephemeral-storage is 1000Mi instead of 0",
        ],
        [byLab, "ran a container with a CPU limit of zero", "the API server accepted it (in a dry run)"],
        [byLab, "claimed a larger volume than allowed", "the API server accepted it (in a dry run)"],
      ],
    );
    const unproven = [...detailsOf(defaults), ...detailsOf(share)].filter(({ is }) => is === "unproven");
    assert.deepEqual([...new Set(unproven.map(({ by }) => by))], ["a member of type gpu"]);
    for (const { why = "" } of unproven) {
      assert.match(
        why,
        /^what is permitted is refused too \(POST \S+\/pods\): .*exceeded quota: theirs, requested: pods=1/,
      );
    }
    assert.equal(unproven.length, 6);
  });

  it("finds broken what a lost binding of a policy, and a namespace without Pod Security, let happen", async () => {
    await stack.delete("validatingadmissionpolicybinding", "kubecamp-services-verify");
    const labels = { "pod-security.kubernetes.io/enforce": "privileged" };
    const [{ exitCode, proofs, detailsOf }] = await Promise.all([
      verify("admission"),
      soonPatched("namespace", namespaceOf("lab"), undefined, { metadata: { labels } }),
    ]);
    const page = "docs/security/security.md#promises";
    assert.deepEqual(
      proofs.filter(({ result }) => result !== "held").map(({ promise, result, page }) => [promise, result, page]),
      [services, nodes].map((promise) => [promise, "broken", page]),
    );
    assert.equal(exitCode, 1);
    assert.ok(
      detailsOf(services).some(
        ({ by, tried, came }) =>
          by === "a member of type user" &&
          tried === "made a Service of type ExternalName" &&
          came === "the API server accepted it (in a dry run)",
      ),
    );
    const ofNodes = detailsOf(nodes);
    assert.ok(ofNodes.every(({ by }) => by === byLab));
    assert.ok(ofNodes.some(({ tried }) => tried === "joined the node's network"));
    // The policy `pods` refuses files of the node, too.
    assert.equal(ofNodes.length, 11, JSON.stringify(ofNodes));
  });

  it("makes attempts of which each gets by without the stack's policies", async () => {
    const selected = ["-l", `kubecamp.dev/stack=${stack.name}`];
    await stack.kubectl("delete", "validatingadmissionpolicybindings", ...selected);
    const { proofs } = await verify("admission");
    const held = proofs.map(({ promise, trials, details }) => [promise, trials - details.length]);
    assert.deepEqual(Object.fromEntries(held), ofAdmission);
    assert.ok(proofs.every(({ details }) => details.every(({ is }) => is === "broken")));
  });
});
