import assert from "node:assert/strict";
import { poolName } from "../../../../config/member/confinement.ts";
import { storageMiB } from "../../../../config/member/limits.ts";
import { alice, configuration } from "../../samples.ts";

const gpu = { devices: { "nvidia.com/gpu": 1, "a.example.com/b": 2 }, storage: { fast: "20Gi", bulk: 0 } };
const resolved = (memberTypes: object, ...members: readonly object[]) => {
  const { settings, members: all } = configuration({ memberTypes, members });
  return { confinement: settings.confinement, members: all };
};

describe("what a stack confines its members to", () => {
  it("confines members to nothing as long as no type and no member says so", () => {
    const { confinement } = resolved({ gpu: { home: "edit" } }, { member: "bob", type: "user" });
    assert.equal(confinement, undefined);
  });

  it("fills in what members are confined to where a type has a default", () => {
    const runtimeClasses = { allowed: ["gvisor"] };
    assert.deepEqual(resolved({ gpu: { runtimeClasses } }).confinement, { runtimes: true });
    const usual = { gpu: { runtimeClasses: { ...runtimeClasses, default: "gvisor" } } };
    assert.deepEqual(resolved(usual).confinement, { runtimes: true, fillsIn: true });
    const required = { gpu: { userNamespaces: "required" } };
    assert.deepEqual(resolved(required).confinement, { users: true, fillsIn: true });
  });

  it("lists each pool once, in the order of their names", () => {
    const pool = (name: string, more: object = {}) => ({
      pool: { nodeSelector: { pool: name, arch: "arm64" }, tolerations: [{ key: "dedicated", value: name, ...more }] },
    });
    const own = { nodeSelector: { a: "b" }, tolerations: [{ key: "x", operator: "Exists" }] };
    const { confinement } = resolved(
      { gpu: pool("gpu"), other: pool("gpu"), cpu: pool("cpu", { effect: "NoExecute" }) },
      { member: "ann", type: "user", pool: own },
    );
    assert.equal(confinement?.fillsIn, true);
    const equal = { key: "dedicated", operator: "Equal" };
    assert.deepEqual(confinement?.pools, [
      own,
      { nodeSelector: { arch: "arm64", pool: "cpu" }, tolerations: [{ ...equal, value: "cpu", effect: "NoExecute" }] },
      { nodeSelector: { arch: "arm64", pool: "gpu" }, tolerations: [{ ...equal, value: "gpu" }] },
    ]);
    assert.deepEqual(confinement?.pools?.map(poolName), [
      "a=b x",
      "arch=arm64,pool=cpu dedicated=cpu:NoExecute",
      "arch=arm64,pool=gpu dedicated=gpu",
    ]);
  });

  it("confines members to what a type says, whether it has members or not, or a member", () => {
    const { storage, ...devices } = gpu;
    assert.deepEqual(resolved({ gpu }).confinement, { devices: { claims: false }, storage: true });
    assert.deepEqual(resolved({}, { member: "bob", type: "user", storage }).confinement, { storage: true });
    const claims = { devices: { "gpu.example.com": 1 } };
    assert.deepEqual(resolved({ gpu: devices, dra: claims }).confinement, { devices: { claims: true } });
  });
});

describe("a member's devices and storage", () => {
  const [ann = alice, bob = alice] = resolved(
    { gpu },
    { member: "ann", type: "gpu" },
    { member: "bob", type: "gpu", devices: {}, storage: { slow: "1Ti" }, numOfPVCs: 1, maxPVCSizeMiB: 100 },
  ).members;

  it("gives a member the devices and storage of the type, by name, or the entry's instead", () => {
    const { devices, storage } = ann.type;
    assert.deepEqual(Object.entries(devices ?? {}), [
      ["a.example.com/b", 2],
      ["nvidia.com/gpu", 1],
    ]);
    assert.deepEqual(Object.entries(storage ?? {}), [
      ["bulk", 0],
      ["fast", 20_480],
    ]);
    assert.deepEqual([bob.type.devices, bob.type.storage], [{}, { slow: 1_048_576 }]);
  });

  it("lets one claim have the largest class, where nothing says how large a claim may be", () => {
    assert.equal(ann.limits.maxPersistentVolumeClaimMiB, 20_480);
    assert.equal(bob.limits.maxPersistentVolumeClaimMiB, 100);
    const none = resolved({}, { member: "cyd", type: "user", storage: {} }).members[0];
    assert.equal(none?.limits.maxPersistentVolumeClaimMiB, 0);
  });

  it("sums a member's storage up from the classes, or from number and size of the claims", () => {
    assert.deepEqual([ann, bob, alice].map(storageMiB), [20_480, 100, 5000]);
  });
});
