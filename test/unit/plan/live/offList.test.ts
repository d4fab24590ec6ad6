import assert from "node:assert/strict";
import { type WorkloadKind, type WorkloadObject, workloadKinds } from "../../../../cluster/read/workloads.ts";
import { imageRules } from "../../../../config/images.ts";
import { offListOf } from "../../../../plan/live/offList.ts";

const home = (member: string, images?: readonly string[], stack = "dev") => {
  const rules = images && imageRules(images);
  const annotations = {
    ...(images && { "kubecamp.dev/images": images.join("\n") }),
    ...(rules !== undefined && { "kubecamp.dev/image-rules": rules }),
  };
  const labels = { "kubecamp.dev/member": member, "kubecamp.dev/stack": stack };
  return { metadata: { name: member, labels, annotations } };
};

interface Of {
  readonly namespace?: string;
  /** Name of the owner, which is its uid here too. */
  readonly owner?: string;
  readonly image?: string;
  readonly [key: string]: unknown;
}

interface Scaled extends Of {
  readonly replicas?: number;
  readonly status?: object;
}

const meta = (name: string, { namespace = "bob", owner = "", ...more }: Of) => {
  const ownerReferences = [{ apiVersion: "v1", kind: "?", name: owner, uid: owner, controller: true }];
  return { name, namespace, uid: name, ...(owner !== "" && { ownerReferences }), ...more };
};
const pods = (image: string) => ({ containers: [{ name: "main", image }] });
const pod = (name: string, { image = "evil", status = {}, ...of }: Of & { status?: object } = {}): WorkloadObject => ({
  metadata: meta(name, of),
  spec: pods(image),
  status,
});
const template = (name: string, { image = "evil", replicas = 1, status = {}, ...of }: Scaled = {}) => ({
  ...{ metadata: meta(name, of), spec: { replicas, template: { spec: pods(image) } }, status },
});

/** `Deployment web: 2 pods`, for each that is off its list. */
function found(
  workloads: Partial<Record<WorkloadKind, readonly WorkloadObject[]>>,
  namespaces = [home("bob", ["nginx"])],
) {
  const none = Object.fromEntries(workloadKinds.map((kind) => [kind, []])) as unknown as Record<WorkloadKind, []>;
  return offListOf({ namespaces, workloads: { ...none, ...workloads } }, (stack) => stack === "dev");
}
const names = (...args: Parameters<typeof found>) =>
  found(...args).map(({ kind, name, pods }) => `${kind} ${name}: ${pods}`);

describe("what is off the lists of images", () => {
  it("tells of what is off the list with its owner, images, places, and what is allowed", () => {
    const named = (images: object) => Object.entries(images).map(([name, image]) => ({ name, image }));
    const spec = {
      containers: named({ web: "nginx", side: "evil/miner" }),
      initContainers: named({ setup: "library/nginx:1", fetch: "evil/fetch" }),
      ephemeralContainers: named({ debug: "evil/shell@sha256:1" }),
      volumes: [...named({ data: { reference: "evil/data" }, none: {} }), { name: "empty", emptyDir: {} }],
    };
    assert.deepEqual(found({ Pod: [{ metadata: meta("solo", {}), spec }] }), [
      {
        ...{ stack: "dev", member: "bob", namespace: "bob", kind: "Pod", name: "solo", uid: "solo", pods: 1 },
        uses: [
          { of: "container 'side'", image: "evil/miner" },
          { of: "initContainer 'fetch'", image: "evil/fetch" },
          { of: "ephemeralContainer 'debug'", image: "evil/shell@sha256:1" },
          { of: "volume 'data'", image: "evil/data" },
        ],
        allowed: ["nginx"],
      },
    ]);
  });

  it("tells of the first owner in a chain that has an image off the list, with all its pods", () => {
    const chain = {
      ReplicaSet: [template("web-1", { owner: "web" })],
      Pod: [pod("a", { owner: "web-1" }), pod("b", { owner: "web-1" })],
    };
    assert.deepEqual(names({ ...chain, Deployment: [template("web")] }), ["Deployment web: 2"]);
    assert.deepEqual(names({ ...chain, Deployment: [template("web", { image: "nginx" })] }), ["ReplicaSet web-1: 2"]);
    // The ReplicaSet is as it should be, and the pod has been given another image.
    const between = { ...chain, ReplicaSet: [template("web-1", { owner: "web", image: "nginx" })] };
    assert.deepEqual(names({ ...between, Deployment: [template("web")] }), ["Deployment web: 2"]);
    const fine = { ...between, Deployment: [template("web", { image: "nginx" })] };
    assert.deepEqual(names(fine), ["Pod a: 1", "Pod b: 1"]);
  });

  it("finds an image off the list behind owners in a circle, and behind somebody else's", () => {
    assert.deepEqual(names({ Pod: [pod("a", { owner: "b" }), pod("b", { owner: "a" })] }), ["Pod a: 2", "Pod b: 2"]);
    const namespaces = [home("bob", ["nginx"]), home("eve", ["nginx"])];
    const behind = { Deployment: [template("web")], Pod: [pod("own", { namespace: "eve", owner: "web" })] };
    assert.deepEqual(names(behind, namespaces), ["Deployment web: 0", "Pod own: 1"]);
  });

  it("tells of no image off the list that is past: ended, being deleted, or kept to go back to", () => {
    const ended = (type: string) => ({ conditions: [{ type, status: "True" }] });
    assert.deepEqual(
      names({
        Pod: [
          pod("done", { status: { phase: "Succeeded" } }),
          pod("failed", { status: { phase: "Failed" } }),
          pod("leaving", { deletionTimestamp: "2026-06-15T00:00:00Z" }),
          pod("pending", { status: { phase: "Pending" } }),
        ],
        Job: [
          template("complete", { status: ended("Complete") }),
          template("failed", { status: ended("Failed") }),
          template("suspended", { status: ended("Suspended") }),
        ],
        ReplicaSet: [template("earlier", { owner: "web", replicas: 0 }), template("own", { replicas: 0 })],
        Deployment: [template("web", { image: "nginx" }), template("asleep", { replicas: 0 })],
      }),
      ["Deployment asleep: 0", "Job suspended: 0", "Pod pending: 1", "ReplicaSet own: 0"],
    );
  });

  it("tells of no image off a list of another stack, without a list, or outside members' homes", () => {
    const namespaces = [home("bob", ["*"]), home("cyd"), home("dan", [], "prod"), home("eve", [])];
    const all = ["bob", "cyd", "dan", "eve", "kube-system"];
    const Pod = all.map((namespace) => pod(`of-${namespace}`, { namespace, image: "nginx" }));
    assert.deepEqual(names({ Pod }, namespaces), ["Pod of-eve: 1"]);
  });
});
