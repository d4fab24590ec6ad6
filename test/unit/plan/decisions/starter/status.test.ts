import assert from "node:assert/strict";
import type { LiveGuard } from "../../../../../cluster/read/snapshot.ts";
import { starterStatusOf } from "../../../../../plan/decisions/starter/status.ts";
import { bob, labelsOf, member, settings } from "../../../samples.ts";

const app = "Deployment lee/starter";
const guard = (change: Partial<LiveGuard>): LiveGuard => ({
  ...{ labels: labelsOf("lee"), annotations: {}, resourceVersion: "1", applied: undefined, content: {} },
  ...change,
});
const running = guard({ content: { spec: { replicas: 3 }, status: { availableReplicas: 2 } } });
const role = guard({ annotations: { "kubecamp.dev/starter": "made" } });

const statusOf = (starter: string, guards: Readonly<Record<string, LiveGuard>>, more: object = {}) => {
  const snapshot = { guards: new Map(Object.entries(guards)), services: new Map(), ...more };
  return starterStatusOf(member({ member: "lee", type: "user", starter }), settings, snapshot);
};

describe("the status of a starter app", () => {
  it("is none of who has none, or has deleted it", () => {
    const snapshot = { guards: new Map(), services: new Map() };
    assert.equal(starterStatusOf(bob, settings, snapshot), undefined);
    assert.equal(statusOf("once", { "Role lee/kubecamp-edit": role }), undefined);
    assert.equal(statusOf("once", { [app]: guard({ labels: {} }) }), undefined);
  });

  it("has no pod ready of one that the run makes", () => {
    for (const mode of ["once", "kept"] as const) {
      assert.deepEqual(statusOf(mode, {}), { mode, replicas: 1, available: 0 });
    }
  });

  it("has as many as the member wants of one that is theirs, and as many as declared of one that is kept", () => {
    const guards = { [app]: running, "Role lee/kubecamp-edit": role };
    assert.deepEqual(statusOf("once", guards), { mode: "once", replicas: 3, available: 2 });
    assert.deepEqual(statusOf("kept", guards), { mode: "kept", replicas: 1, available: 2 });
  });

  it("is not known where nobody could look", () => {
    const unread = { offline: false, kinds: new Map([["Deployment", "403"]]), last: new Set<string>() };
    assert.equal(statusOf("kept", {}, { unread }), undefined);
  });
});
