import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { starterDeployment } from "../../../../objects/starter/starterDeployment.ts";
import { rollingUpdate } from "../../../../plan/decisions/rollingUpdate.ts";
import { managedObject } from "../../cluster/leaving.ts";
import { alice, bob, configuration } from "../../samples.ts";

const settingsOf = (starter: object = {}) => configuration({ members: [], starter }).settings;
const settings = settingsOf();

const hard = { "limits.cpu": "1", "limits.memory": "512Mi", pods: "50", "count/pods": "1050" };
const withHeadroom = { "limits.cpu": "50m", "limits.memory": "64Mi", pods: "1", "count/pods": "1" };
const full = { ...withHeadroom, pods: "50" };
const running = { replicas: 1, updatedReplicas: 1 };
const more = { maxSurge: 1, maxUnavailable: 0 };
const fewer = { maxSurge: 1, maxUnavailable: 1 };

/** The cluster's objects where these settings' pods are replaced like this. */
function live(used: object, replacing: object = more, status: object = running, of = settings) {
  const { spec } = starterDeployment(bob, "kept", of);
  const strategy = { type: "RollingUpdate", rollingUpdate: replacing };
  return new Map([
    ["ResourceQuota bob/quota", managedObject("bob", { status: { hard, used } })],
    ["Deployment bob/starter", managedObject("bob", { spec: { ...spec, strategy }, status })],
  ]);
}
const declared = (managedObjects: ReadonlyMap<string, ManagedObject>, of = settings, who = bob) =>
  rollingUpdate(who, "kept", of, { managedObjects });

describe("how pods of a starter app are replaced", () => {
  const other = settingsOf({ image: "ghcr.io/acme/other:1" });

  it("replaces starter pods with one more where the quota has room, else by one fewer", () => {
    assert.deepEqual(declared(live(withHeadroom, fewer), other), more);
    for (const used of [
      ...[full, { ...withHeadroom, "limits.cpu": "960m" }],
      ...[
        { ...withHeadroom, "limits.memory": "500Mi" },
        { ...withHeadroom, "count/pods": "1050" },
      ],
    ]) {
      assert.deepEqual(declared(live(used), other), fewer, JSON.stringify(used));
    }
    assert.deepEqual(declared(new Map([...live(full)].slice(0, 1))), fewer);
    assert.deepEqual(declared(live(full), other, alice), more);
  });

  it("replaces starter pods one by one, with one more where figures have room, else one fewer", () => {
    const update = (starter: object, who = bob) => declared(new Map(), settingsOf(starter), who);
    const fewer = { maxSurge: 0, maxUnavailable: 1 };
    assert.deepEqual(update({ replicas: 9 }), fewer);
    assert.deepEqual(update({ replicas: 6 }), more);
    assert.deepEqual(update({ replicas: 2, cpuMillicores: 250 }), fewer);
    assert.deepEqual(update({ replicas: 2, memoryMiB: 250 }), fewer);
    assert.deepEqual(update({ replicas: 10, cpuMillicores: 1000 }, alice), more);
  });

  it("keeps how the last run replaced starter pods while none is replaced, whatever is used", () => {
    assert.deepEqual(declared(live(full, more)), more);
    assert.deepEqual(declared(live(withHeadroom, fewer)), fewer);
  });

  it("decides anew how to replace starter pods where none could be made since", () => {
    const none = { replicas: 1, updatedReplicas: 0 };
    assert.deepEqual(declared(live(full, more, none)), fewer);
    assert.deepEqual(declared(live(full, fewer, none)), fewer);
    assert.deepEqual(declared(live(withHeadroom, more, none)), more);
    // The image can't be pulled: the one more is there, and has taken the room.
    assert.deepEqual(declared(live(full, more, { replicas: 2, updatedReplicas: 1 })), more);
    // A suspended member has none.
    assert.deepEqual(declared(live(full, more, {}), settings, { ...bob, standing: "suspended" }), more);
  });
});
