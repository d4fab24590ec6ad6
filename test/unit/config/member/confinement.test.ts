import assert from "node:assert/strict";
import { mistakes } from "../../samples.ts";

const mistakesOf = (memberTypes: object, ...members: readonly object[]) => mistakes({ memberTypes, members });

describe("what a type confines its members to", () => {
  it("refuses devices and StorageClasses by names and amounts that there can't be", () => {
    const rule =
      "can't be a device: name an extended resource such as nvidia.com/gpu, or a DeviceClass such as gpu.nvidia.com";
    const size = "must be a size such as 20Gi, in Mi, Gi or Ti and below 1000Ti, or 0 for none";
    const devices = { "requests.nvidia.com/gpu": 1, "kubernetes.io/x": 1, "a/b/c": 1, "nvidia.com/gpu": 0.5 };
    assert.deepEqual(mistakesOf({ gpu: { devices, storage: { fast: 20, slow: "20G", Bad: "1Gi" } } }), [
      `memberTypes.gpu.devices.requests.nvidia.com/gpu: "requests.nvidia.com/gpu" ${rule}`,
      `memberTypes.gpu.devices.kubernetes.io/x: "kubernetes.io/x" ${rule}`,
      `memberTypes.gpu.devices.a/b/c: "a/b/c" ${rule}`,
      "memberTypes.gpu.devices.nvidia.com/gpu: 0.5 must be a whole number of devices",
      `memberTypes.gpu.storage.fast: 20 ${size}`,
      `memberTypes.gpu.storage.slow: "20G" ${size}`,
      'memberTypes.gpu.storage.Bad: "Bad" must be a name in lower case',
    ]);
  });

  it("demands a default RuntimeClass that is allowed", () => {
    const usual = { allowed: ["gvisor", "kata"], default: "kata" };
    assert.deepEqual(mistakesOf({ gpu: { runtimeClasses: usual }, none: { runtimeClasses: { allowed: [] } } }), []);
    const found = mistakesOf(
      { gpu: { runtimeClasses: { allowed: ["gvisor"], default: "gvsor" } }, lab: { runtimeClasses: { default: "x" } } },
      { member: "ann", type: "gpu", runtimeClasses: { allowed: [], default: "kata" } },
    );
    const why = "is not in allowed; add it there";
    assert.deepEqual(found, [
      `memberTypes.gpu.runtimeClasses.default: "gvsor" ${why}`,
      "memberTypes.lab.runtimeClasses.allowed: is missing: must be a list of RuntimeClasses",
      `members[0].runtimeClasses.default: "kata" ${why} (member 'ann')`,
    ]);
  });

  it("demands taints of a pool, which keep others off", () => {
    const toleration = { key: "dedicated", value: "gpu", effect: "NoSchedule" };
    const nodeSelector = { pool: "gpu" };
    const of = (...tolerations: readonly object[]) => mistakesOf({ gpu: { pool: { nodeSelector, tolerations } } });
    assert.deepEqual(of(toleration, { key: "nvidia.com/gpu", operator: "Exists" }), []);
    const at = "memberTypes.gpu.pool.tolerations";
    assert.deepEqual(of(), [
      `${at}: [] must have one: without a taint on the pool's nodes, everybody's pods run there`,
    ]);
    assert.deepEqual(of({ ...toleration, effect: "PreferNoSchedule" }), [
      `${at}: must have one with the effect NoSchedule or NoExecute, which keeps others' pods off`,
    ]);
    // A wrong one may be meant for that.
    assert.equal(of({ ...toleration, effect: "PreferNoSchedule" }, { ...toleration, effect: 1 }).length, 1);
    const own = "is Kubernetes' own; name a taint of the pool's nodes";
    assert.deepEqual(
      of(
        { key: "node-role.kubernetes.io/control-plane" },
        { key: "CriticalAddonsOnly", operator: "Exists" },
        { ...toleration, operator: "Exists" },
        { ...toleration, operator: "Gt" },
        { operator: "Exists" },
      ),
      [
        `${at}[0].key: "node-role.kubernetes.io/control-plane" ${own}`,
        `${at}[1].key: "CriticalAddonsOnly" ${own}`,
        `${at}[2].value: "gpu" has no effect with operator: Exists; leave one of them out`,
        `${at}[3].operator: "Gt" must be one of Equal, Exists`,
        `${at}[4].key: is missing: must be a text`,
      ],
    );
    assert.deepEqual(mistakesOf({ gpu: { pool: { nodeSelector: {}, tolerations: [toleration] } } }), [
      "memberTypes.gpu.pool.nodeSelector: {} must have a label",
    ]);
  });

  it("demands a quota for devices and StorageClasses, which counts them", () => {
    const why = "needs a quota, which counts it; set quota: true, or leave it out";
    const gpu = { devices: { "nvidia.com/gpu": 1 } };
    const found = mistakesOf(
      { free: { ...gpu, quota: false }, gpu },
      { member: "ann", type: "free" },
      { member: "ada", type: "admin", storage: { fast: "1Gi" } },
      { member: "bob", type: "gpu", quota: false },
      { member: "cyd", type: "gpu", quota: false, devices: {} },
    );
    assert.deepEqual(found, [
      `memberTypes.free.devices: ${why}`,
      `members[1].storage: ${why} (member 'ada')`,
      "members[2].quota: must be true: the devices or StorageClasses of type 'gpu' need a quota, which counts them (member 'bob')",
      `members[3].devices: ${why} (member 'cyd')`,
    ]);
    // A quota that the entry sets itself is enough.
    assert.deepEqual(mistakesOf({}, { member: "ada", type: "admin", quota: true, ...gpu }), []);
  });
});
