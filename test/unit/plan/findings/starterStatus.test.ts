import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { starterStatusOf } from "../../../../plan/decisions/starterPlan.ts";
import { liveObject } from "../../cluster/liveService.ts";
import { bob, labelsOf, member, settings } from "../../samples.ts";
import { planned } from "../planned.ts";

const app = "Deployment lee/starter";
const managedObject = (change: Partial<ManagedObject>) => liveObject({ labels: labelsOf("lee"), ...change });
const running = managedObject({ content: { spec: { replicas: 3 }, status: { availableReplicas: 2 } } });
const role = managedObject({ annotations: { "kubecamp.dev/starter": "made" } });

const statusOf = (starter: string, managedObjects: Readonly<Record<string, ManagedObject>>, more: object = {}) => {
  const snapshot = { managedObjects: new Map(Object.entries(managedObjects)), services: new Map(), ...more };
  return starterStatusOf(planned(member({ member: "lee", type: "user", starter }), settings, snapshot), snapshot);
};

describe("the status of a starter app", () => {
  it("tells no status of a starter app that was never there, or was deleted by its member", () => {
    const snapshot = { managedObjects: new Map(), services: new Map() };
    assert.equal(starterStatusOf(planned(bob, settings, snapshot), snapshot), undefined);
    assert.equal(statusOf("once", { "Role lee/kubecamp-edit": role }), undefined);
    assert.equal(statusOf("once", { [app]: managedObject({ labels: {} }) }), undefined);
  });

  it("counts no pod as ready of a starter app that the run makes", () => {
    for (const mode of ["once", "kept"] as const) {
      assert.deepEqual(statusOf(mode, {}), { mode, replicas: 1, available: 0 });
    }
  });

  it("wants as many starter pods as the member does of their own, or as declared of a kept app", () => {
    const managedObjects = { [app]: running, "Role lee/kubecamp-edit": role };
    assert.deepEqual(statusOf("once", managedObjects), { mode: "once", replicas: 3, available: 2 });
    assert.deepEqual(statusOf("kept", managedObjects), { mode: "kept", replicas: 1, available: 2 });
  });

  it("tells no status of a starter app where nobody could look", () => {
    const unread = { offline: false, kinds: new Map([["Deployment", "403"]]), last: new Set<string>() };
    assert.equal(statusOf("kept", {}, { unread }), undefined);
  });
});
