import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot/snapshot.ts";
import { lackOfHeadroom } from "../../../../plan/decisions/quotaHeadroom.ts";
import { bob, carol, member, settings } from "../../samples.ts";
import { planned } from "../planned.ts";

const quotas = (status: object): ReadonlyMap<string, ManagedObject> =>
  new Map([
    [
      "ResourceQuota bob/quota",
      { labels: {}, annotations: {}, resourceVersion: "1", applied: undefined, content: { status } },
    ],
  ]);
const full = quotas({
  hard: { "count/services": "40", "count/configmaps": "2" },
  used: { "count/services": "40", "count/configmaps": "3" },
});
const withHeadroom = quotas({
  hard: { "count/services": "40", "count/configmaps": "2" },
  used: { "count/services": "39", "count/configmaps": "1" },
});

describe("room in a quota", () => {
  it("finds no room in a quota where as many are there as it holds, or more", () => {
    assert.equal(
      lackOfHeadroom(bob, "Service", { managedObjects: full }),
      "the quota holds 40 Services of 40; delete one, or have maxObjects raised, of which two fifths count here",
    );
    assert.match(
      lackOfHeadroom(bob, "ConfigMap", { managedObjects: full }) ?? "",
      /^the quota holds 3 ConfigMaps of 2;/,
    );
  });

  it("finds room in a quota otherwise, and where no quota counts the kind", () => {
    for (const managedObjects of [
      withHeadroom,
      quotas({}),
      quotas({ hard: { pods: "1" }, used: { pods: "1" } }),
      new Map(),
    ]) {
      assert.equal(lackOfHeadroom(bob, "Service", { managedObjects }), undefined);
    }
    assert.equal(lackOfHeadroom(carol, "Service", { managedObjects: full }), undefined);
  });

  it("finds room for what a run makes after it raises the quota, as a starter app and a Service", () => {
    const raised = member({ member: "bob", type: "user", maxObjects: 250 });
    assert.match(lackOfHeadroom(raised, "Service", { managedObjects: full }) ?? "", /40 Services of 40/);
    assert.equal(lackOfHeadroom(raised, "Service", { managedObjects: full }, 1, true), undefined);
    assert.match(lackOfHeadroom(bob, "Service", { managedObjects: full }, 1, true) ?? "", /40 Services of 40/);
    const lowered = member({ member: "bob", type: "user", maxObjects: 20 });
    assert.match(
      lackOfHeadroom(lowered, "Service", { managedObjects: withHeadroom }, 1, true) ?? "",
      /39 Services of 20/,
    );
    const managed = member({
      ...{ member: "bob", type: "user", maxObjects: 250 },
      route: { readiness: { mode: "managed" } },
    });
    assert.deepEqual(planned(managed, settings, { managedObjects: full, services: new Map() }).readiness, {
      state: "ready",
    });
  });

  it("keeps one route pending, and ends no run, where a full quota has no room for a Service", () => {
    const managed = member({ member: "bob", type: "user", route: { readiness: { mode: "managed" } } });
    const { state } = planned(managed, settings, { managedObjects: full, services: new Map() }).readiness;
    assert.equal(state, "pending");
  });

  it("finds no room where the run itself leaves none, but where the type has no quota", () => {
    const none = { managedObjects: new Map<string, ManagedObject>() };
    assert.match(
      lackOfHeadroom(member({ member: "bob", type: "user", maxObjects: 0 }), "Service", none) ?? "",
      /^the quota holds 0 Services of 0;/,
    );
    assert.equal(lackOfHeadroom(member({ member: "bob", type: "admin", maxObjects: 0 }), "Service", none), undefined);
  });
});
