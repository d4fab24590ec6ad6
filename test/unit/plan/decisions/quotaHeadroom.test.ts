import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { lackOfHeadroom } from "../../../../plan/decisions/quotaHeadroom.ts";
import { managedObject } from "../../cluster/operators.ts";
import { bob, carol, member, settings } from "../../samples.ts";
import { planned } from "../planned.ts";

const quotas = (status: object): ReadonlyMap<string, ManagedObject> =>
  new Map([["ResourceQuota bob/quota", managedObject({}, { status })]]);
const hard = { "count/services": "40", "count/configmaps": "2" };
const full = quotas({ hard, used: { "count/services": "40", "count/configmaps": "3" } });
const withHeadroom = quotas({ hard, used: { "count/services": "39", "count/configmaps": "1" } });
const bobWith = (entry: object) => member({ member: "bob", type: "user", ...entry });
const isManaged = { route: { readiness: { mode: "managed" } } };
const lack = (
  managedObjects: ReadonlyMap<string, ManagedObject>,
  who = bob,
  isRaised = false,
  kind: "Service" | "ConfigMap" = "Service",
) => lackOfHeadroom(who, kind, { managedObjects }, { isAfterQuota: isRaised });

describe("room in a quota", () => {
  it("finds no room in a quota where as many are there as it holds, or more", () => {
    assert.equal(
      lack(full),
      "the quota holds 40 Services of 40; delete one, or have maxObjects raised, of which two fifths count here",
    );
    assert.match(lack(full, bob, false, "ConfigMap") ?? "", /^the quota holds 3 ConfigMaps of 2;/);
  });

  it("finds room in a quota otherwise, and where no quota counts the kind", () => {
    const others = [quotas({}), quotas({ hard: { pods: "1" }, used: { pods: "1" } }), new Map()];
    for (const quota of [withHeadroom, ...others]) {
      assert.equal(lack(quota), undefined);
    }
    assert.equal(lack(full, carol), undefined);
  });

  it("finds room for what a run makes after it raises the quota, as a starter app and a Service", () => {
    const raised = bobWith({ maxObjects: 250 });
    assert.match(lack(full, raised) ?? "", /40 Services of 40/);
    assert.equal(lack(full, raised, true), undefined);
    assert.match(lack(full, bob, true) ?? "", /40 Services of 40/);
    assert.match(lack(withHeadroom, bobWith({ maxObjects: 20 }), true) ?? "", /39 Services of 20/);
    const managed = bobWith({ maxObjects: 250, ...isManaged });
    const { readiness } = planned(managed, settings, { managedObjects: full, services: new Map() });
    assert.deepEqual(readiness, { state: "ready" });
  });

  it("keeps one route pending, and ends no run, where a full quota has no room for a Service", () => {
    const { readiness } = planned(bobWith(isManaged), settings, { managedObjects: full, services: new Map() });
    assert.equal(readiness.state, "pending");
  });

  it("finds no room where the run itself leaves none, but where the type has no quota", () => {
    assert.match(lack(new Map(), bobWith({ maxObjects: 0 })) ?? "", /^the quota holds 0 Services of 0;/);
    assert.equal(lack(new Map(), bobWith({ type: "admin", maxObjects: 0 })), undefined);
  });
});
