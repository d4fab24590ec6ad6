import assert from "node:assert/strict";
import type { Hardware, LiveNode } from "../../../../cluster/read/snapshot.ts";
import { lackingDevices, lackingPools } from "../../../../plan/findings/hardware.ts";
import { configuration } from "../../samples.ts";
import { textsOf } from "../planned.ts";

const gpu = "nvidia.com/gpu";
const pool = { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated", value: "gpu" }] };
const membersOf = (type: object, count = 1) =>
  configuration({
    memberTypes: { lab: type },
    members: ["ann", "bob", "cyd", "dan"].slice(0, count).map((member) => ({ member, type: "lab" })),
  }).members;
const node = (name: string, labels: Record<string, string> = {}, more: Partial<LiveNode> = {}): LiveNode => ({
  name,
  labels: { "kubernetes.io/hostname": name, ...labels },
  taints: [],
  devices: [],
  ...more,
});
const taint = (value: string, effect = "NoSchedule") => ({ key: "dedicated", value, effect });
const seeing = (nodes: readonly LiveNode[], more: Partial<Hardware> = {}): { hardware: Hardware } => ({
  hardware: { nodes, deviceClasses: [], refused: new Map(), ...more },
});

describe("a pool", () => {
  const found = (...nodes: readonly LiveNode[]) => textsOf(lackingPools(membersOf({ pool }, 4), seeing(nodes)));

  it("accepts a pool where a node is in it with the taint, whatever else is there for a moment", () => {
    const cordoned = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" };
    assert.deepEqual(found(node("a", { pool: "gpu" }, { taints: [taint("gpu"), cordoned] }), node("b")), []);
  });

  it("warns of a pool where no node is in it, with the nodes' labels", () => {
    assert.deepEqual(found(node("a", { pool: "gpus", zone: "a" }), node("b", { pool: "gpus" })), [
      "pool: no node has the labels pool=gpu, so that pods of ann, bob, cyd and 1 more stay Pending; the nodes' labels are pool=gpus, zone=a",
    ]);
    assert.deepEqual(found(node("a")), [
      "pool: no node has the labels pool=gpu, so that pods of ann, bob, cyd and 1 more stay Pending; the nodes have none",
    ]);
  });

  it("warns of a pool where taints keep its own pods out", () => {
    const taints = [taint("gpu"), { key: "maintenance", value: "", effect: "NoExecute" }];
    assert.deepEqual(found(node("a", { pool: "gpu" }, { taints })), [
      "pool: pods of ann, bob, cyd and 1 more don't tolerate the taints of the nodes with pool=gpu, and stay Pending: add maintenance=:NoExecute to the pool's tolerations",
    ]);
    const both = found(node("a", { pool: "gpu" }, { taints }), node("b", { pool: "gpu" }, { taints: [taint("gpu")] }));
    assert.deepEqual(both, []);
  });

  it("warns of a pool where no taint keeps others' pods out", () => {
    const open = { taints: [taint("gpu", "PreferNoSchedule")] };
    const nodes = [node("a", { pool: "gpu" }, { taints: [taint("gpu")] }), node("b", { pool: "gpu" }, open)];
    assert.deepEqual(found(...nodes), [
      "pool: anybody's pods run on nodes of the pool pool=gpu of ann, bob, cyd and 1 more that have none of the taints it tolerates: taint b with 'kubectl taint node'",
    ]);
  });

  it("judges no pool where nobody could read the nodes", () => {
    assert.deepEqual(lackingPools(membersOf({ pool }), { hardware: { refused: new Map() } }), []);
    assert.deepEqual(lackingPools(membersOf({ pool }), {}), []);
  });
});

describe("a device", () => {
  const found = (type: object, hardware: { hardware?: Hardware }) =>
    textsOf(lackingDevices(membersOf(type, 2), hardware));
  const devices = { [gpu]: 1, "amd.com/gpu": 0 };

  it("accepts a device where a node has it, or a DeviceClass by that name", () => {
    assert.deepEqual(found({ devices }, seeing([node("a"), node("b", {}, { devices: [gpu] })])), []);
    const deviceClasses = [{ name: "gpu.nvidia.com", extendedResource: gpu }];
    assert.deepEqual(found({ devices }, seeing([node("a")], { deviceClasses })), []);
    assert.deepEqual(found({ devices: { "gpu.nvidia.com": 1 } }, seeing([], { deviceClasses })), []);
  });

  it("warns of a device where no node has it, with the devices and labels that there are", () => {
    const nodes = [node("a", { pool: "cpu" }, { devices: ["amd.com/gpu"] })];
    assert.deepEqual(found({ devices }, seeing(nodes)), [
      "devices: no node has the device 'nvidia.com/gpu', so that pods of ann, bob that ask for it stay Pending; there are amd.com/gpu, and the nodes' labels are pool=cpu",
    ]);
    assert.deepEqual(found({ devices: { "gpu.nvidia.com": 1 } }, seeing(nodes)), [
      "devices: there is no DeviceClass 'gpu.nvidia.com', so that pods of ann, bob that ask for it stay Pending; there are none",
    ]);
  });

  it("demands a device on a node of the pool, if there is any", () => {
    const elsewhere = node("a", {}, { devices: [gpu] });
    assert.deepEqual(found({ devices, pool }, seeing([elsewhere, node("b", { pool: "gpu" })])), [
      "devices: no node with pool=gpu has the device 'nvidia.com/gpu', so that pods of ann, bob that ask for it stay Pending; there are none, and the nodes' labels are pool=gpu",
    ]);
    assert.deepEqual(found({ devices, pool }, seeing([elsewhere])), []);
  });
});
