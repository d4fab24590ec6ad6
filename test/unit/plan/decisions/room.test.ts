import assert from "node:assert/strict";
import type { LiveGuard } from "../../../../cluster/read/snapshot.ts";
import { managedServiceOf } from "../../../../plan/decisions/managedService.ts";
import { readinessOf } from "../../../../plan/decisions/readiness.ts";
import { lackOfRoom } from "../../../../plan/decisions/room.ts";
import { ca } from "../../certificates.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, carol, gatewaySettings, labelsOf, member, settings } from "../../samples.ts";

const quotas = (status: object): ReadonlyMap<string, LiveGuard> =>
  new Map([
    [
      "ResourceQuota bob/quota",
      { labels: {}, annotations: {}, resourceVersion: "1", applied: undefined, content: { status } },
    ],
  ]);
const full = quotas({
  hard: { "count/services": "100", "count/configmaps": "2" },
  used: { "count/services": "100", "count/configmaps": "3" },
});
const roomy = quotas({
  hard: { "count/services": "100", "count/configmaps": "2" },
  used: { "count/services": "99", "count/configmaps": "1" },
});

describe("room in a quota", () => {
  it("lacks where as many are there as it holds, or more", () => {
    assert.equal(
      lackOfRoom(bob, "Service", { guards: full }),
      "the quota holds 100 Services of 100; delete one, or have maxObjects raised",
    );
    assert.match(lackOfRoom(bob, "ConfigMap", { guards: full }) ?? "", /^the quota holds 3 ConfigMaps of 2;/);
  });

  it("is there otherwise, and where no quota counts the kind", () => {
    for (const guards of [roomy, quotas({}), quotas({ hard: { pods: "1" }, used: { pods: "1" } }), new Map()]) {
      assert.equal(lackOfRoom(bob, "Service", { guards }), undefined);
    }
    assert.equal(lackOfRoom(carol, "Service", { guards: full }), undefined);
  });

  it("is there for what comes after the quota that the run raises, as a starter app and a Service do", () => {
    const raised = member({ member: "bob", type: "user", maxObjects: 120 });
    assert.match(lackOfRoom(raised, "Service", { guards: full }) ?? "", /100 Services of 100/);
    assert.equal(lackOfRoom(raised, "Service", { guards: full }, 1, true), undefined);
    assert.match(lackOfRoom(bob, "Service", { guards: full }, 1, true) ?? "", /100 Services of 100/);
    const lowered = member({ member: "bob", type: "user", maxObjects: 50 });
    assert.match(lackOfRoom(lowered, "Service", { guards: roomy }, 1, true) ?? "", /99 Services of 50/);
    const managed = member({
      ...{ member: "bob", type: "user", maxObjects: 120 },
      route: { readiness: { mode: "managed" } },
    });
    assert.deepEqual(readinessOf(managed, settings, { guards: full, services: new Map() }), { state: "ready" });
  });

  it("lacks where the run itself leaves none, and not where the type has no quota", () => {
    const none = { guards: new Map<string, LiveGuard>() };
    assert.match(
      lackOfRoom(member({ member: "bob", type: "user", maxObjects: 0 }), "Service", none) ?? "",
      /^the quota holds 0 Services of 0;/,
    );
    assert.equal(lackOfRoom(member({ member: "bob", type: "admin", maxObjects: 0 }), "Service", none), undefined);
  });

  it("is what a Service of the program's needs, so that a full one keeps one route pending and no run from ending", () => {
    const managed = member({ member: "bob", type: "user", route: { readiness: { mode: "managed" } } });
    const reason =
      "Service 'bob-svc' can't be made: the quota holds 100 Services of 100; delete one, or have maxObjects raised";
    const snapshot = { guards: full, services: new Map() };
    assert.deepEqual(managedServiceOf(managed, settings, snapshot), { obstacle: reason });
    assert.deepEqual(readinessOf(managed, settings, snapshot), { state: "pending", reason });
    assert.deepEqual(readinessOf(managed, settings, { ...snapshot, guards: roomy }), { state: "ready" });
    const there = { guards: full, services: new Map([["bob/bob-svc", liveService({})]]) };
    assert.deepEqual(readinessOf(managed, settings, there), { state: "ready" });
  });

  it("is what the CA at home needs where routes are a Gateway's, unless it is there", () => {
    const stack = gatewaySettings({ backendProtocol: "HTTPS", backendTls: { ca } });
    const services = new Map([["bob/bob-svc", liveService({ ports: [443] })]]);
    assert.deepEqual(readinessOf(bob, stack, { guards: full, services }), {
      state: "pending",
      reason:
        "ConfigMap 'kubecamp-backend-ca' can't be made: the quota holds 3 ConfigMaps of 2; delete one, or have maxObjects raised",
    });
    assert.deepEqual(readinessOf(bob, stack, { guards: roomy, services }), { state: "ready" });
    const live = { ...(full.get("ResourceQuota bob/quota") as LiveGuard), labels: labelsOf("bob") };
    const guards = new Map([...full, ["ConfigMap bob/kubecamp-backend-ca", live] as const]);
    assert.deepEqual(readinessOf(bob, stack, { guards, services }), { state: "ready" });
  });
});
