import assert from "node:assert/strict";
import { managedObjectOf } from "../../../../cluster/read/managedObjects.ts";
import { liveServices } from "../../../../cluster/read/services.ts";
import type { ManagedObject, OwnedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { signatureKey, unknowns } from "../../../../config/names/pulumiMarks.ts";
import { obstacles } from "../../../../plan/decide/obstacles.ts";
import { newConfigMaps } from "../../../../plan/decisions/bucketsPlan.ts";
import { starterPlan } from "../../../../plan/decisions/starterPlan.ts";
import { missingObjects } from "../../../../plan/members/missing.ts";
import { ownedByOthers } from "../../../../plan/members/owners.ts";
import { waitedFor } from "../../../../plan/members/restless.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { ca } from "../../certificates.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, configuration, gatewaySettings, labelsOf, member, settings, storage } from "../../samples.ts";
import { knowing, planned, planOf, textOf } from "../planned.ts";

const metadata = { name: "bob-svc", namespace: "bob" };
const serviceOf = (service: Parameters<typeof liveServices>[0][number]) => liveServices([service]).get("bob/bob-svc");
const large = "x".repeat(200_000);

describe("what members make at home", () => {
  it("takes an object for large where the API server might take nothing more, whatever the data", () => {
    const configMap = (metadata: object, more: object = {}) =>
      managedObjectOf("ConfigMap", { metadata: { name: "starter-pages", ...metadata }, ...more }).isLarge;
    assert.equal(configMap({ annotations: { a: large } }), true);
    assert.equal(configMap({ labels: { a: "b" } }, { data: { a: large }, binaryData: { b: large } }), undefined);
    const field = { manager: "m", operation: "Apply", fieldsV1: { "f:data": { [`f:${large}`]: {} } } };
    assert.equal(configMap({ managedFields: [field] }), true);
    // Objects that only the platform writes are not measured.
    assert.equal(managedObjectOf("Role", { metadata: { annotations: { a: large } } }).isLarge, undefined);
    const [service, other] = [{ a: large }, { a: "b" }].map((annotations) =>
      serviceOf({ metadata: { ...metadata, annotations } }),
    );
    assert.deepEqual([service?.isLarge, other && "isLarge" in other], [true, false]);
  });

  it("marks an object where Pulumi would take a text in that for something else, at any place", () => {
    const deployment = (more: object) =>
      managedObjectOf("Deployment", { metadata: { name: "starter" }, ...more }).isMarked;
    const template = (annotations: object) => ({ spec: { template: { metadata: { annotations } } } });
    assert.equal(deployment(template({ [signatureKey]: "x" })), true);
    for (const text of unknowns) {
      assert.equal(deployment(template({ a: text })), true, text);
    }
    assert.equal(deployment(template({ a: `not ${unknowns[0]}` })), undefined);
    for (const text of unknowns) {
      const written = { metadata: { ...metadata, managedFields: [{ manager: text, operation: "Update" }] } };
      const named = { metadata, spec: { ports: [{ name: text, port: 80 }] } };
      for (const service of [written, named]) {
        assert.equal(serviceOf(service)?.isMarked, true);
      }
    }
  });

  it("leaves a member's object its owners: members could put these back", () => {
    const kept = member({ member: "bob", type: "user", starter: "kept" });
    const owners = [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "1" }];
    const object = (kind: OwnedObject["kind"], name: string) =>
      [`${kind} bob/${name}`, { kind, name, namespace: "bob", uid: "2", owners }] as const;
    const all = new Map([
      ...[object("ConfigMap", "starter-pages"), object("Deployment", "starter")],
      ...[object("Service", "bob-svc"), object("LimitRange", "default-limits")],
    ]);
    const found = ownedByOthers(planOf([kept], settings, cluster({ owned: all })));
    const kinds = found.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["LimitRange"]);
  });
});

describe("the CA of a Gateway's routes, in a member's namespace", () => {
  const stack = gatewaySettings({ backendProtocol: "HTTPS", backendTls: { ca } });
  const services = new Map([["bob/bob-svc", liveService({ ports: [443] })]]);
  const key = "ConfigMap bob/kubecamp-backend-ca";
  const namespaces = new Map([
    ["gateways", { labels: {}, terminating: false }],
    ["bob", owned("bob")],
  ]);
  const on = (live: Partial<ManagedObject>) =>
    cluster({
      namespaces,
      services,
      managedObjects: new Map([[key, { ...managedObject("bob", { data: { "ca.crt": ca } }), ...live }]]),
    });
  const way = "delete it ('kubectl delete -n bob configmap/kubecamp-backend-ca'), and the next run makes it anew";
  const strange = { ...labelsOf("bob"), "kubecamp.dev/stack": "x" };

  const fixed = { immutable: true, data: { "ca.crt": "mine" } };
  const full = "has so much in it that nothing can be added";
  for (const [what, live, why] of [
    ["is somebody else's", { labels: {} }, "is not kubecamp's"],
    ["is another stack's", { labels: strange }, "is not kubecamp's"],
    ["is being deleted", { terminating: true }, "is being deleted"],
    ["can't be changed", { applied: "abc", content: fixed }, "is immutable, and has another CA than the stack's"],
    ["is too large", { isLarge: true }, full],
    ["is nearly full", { content: { data: { mine: "x".repeat(1024 * 1024) } } }, full],
  ] as const) {
    it(`keeps a route pending, and stops no run, where its CA's ConfigMap ${what}`, () => {
      const snapshot = on(live);
      assert.deepEqual(planned(bob, stack, snapshot).readiness, {
        state: "pending",
        reason: `ConfigMap 'kubecamp-backend-ca' ${why}; ${way}`,
      });
      for (const who of [bob, { ...bob, adopt: true }]) {
        assert.deepEqual(refusalTexts(obstacles(planOf([who], stack, snapshot))), []);
      }
      const isDeclared = planned(bob, stack, snapshot).declared.some(({ kind }) => kind === "ConfigMap");
      assert.equal(isDeclared, false);
      const waits = member({ member: "bob", type: "user", route: { readiness: { mode: "wait" } } });
      assert.deepEqual(waitedFor(planOf([waits], stack, snapshot)), []);
    });
  }

  it("puts a Gateway's CA in a member's namespace back, or leaves that, where a write succeeds", () => {
    for (const live of [
      ...[{}, { content: { data: { "ca.crt": "mine" } } }, { labels: strange, applied: "abc" }],
      { content: { immutable: true, data: { "ca.crt": ca, more: "mine" } } },
    ]) {
      assert.deepEqual(planned(bob, stack, on(live)).readiness, { state: "ready" }, JSON.stringify(live));
    }
    assert.deepEqual(planned({ ...bob, adopt: true }, stack, on({ labels: {} })).readiness, { state: "ready" });
    assert.equal(textOf(missingObjects(planOf([bob], stack, on({})), knowing(key))), undefined);
  });
});

describe("room for all that one run makes", () => {
  const route = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
  const { settings: stack, members } = configuration({
    route: { host: "camp.example.org", ...route, backendProtocol: "HTTPS", backendTls: { ca } },
    starter: { image: "registry.example.org/app:1", port: 8443 },
    storage,
    members: [
      { member: "bob", type: "user", starter: "kept", maxObjects: 10, buckets: [{ name: "a" }, { name: "b" }] },
    ],
  });
  const [who] = members as [Member];
  const on = (used: number) => {
    const status = { hard: { "count/configmaps": "10" }, used: { "count/configmaps": String(used) } };
    return cluster({ managedObjects: new Map([["ResourceQuota bob/quota", managedObject("bob", { status })]]) });
  };

  it("counts room for ConfigMaps together: pages first, then buckets' objects, and last the CA", () => {
    assert.deepEqual(planned(who, stack, on(6)).readiness, { state: "ready" });
    for (const [used, pages, ofBuckets] of [
      [7, 1, 2],
      [8, 1, 0],
      [9, 1, 0],
      [10, 0, 0],
    ] as const) {
      const { made = [] } = starterPlan(who, stack, on(used)) ?? {};
      assert.equal(made.filter((kind) => kind === "ConfigMap").length, pages, String(used));
      assert.equal(newConfigMaps(planned(who, stack, on(used)).buckets, on(used)), ofBuckets, String(used));
    }
    assert.match(
      Object(planned(who, stack, on(7)).readiness).reason,
      /^ConfigMap 'kubecamp-backend-ca' can't be made: the quota holds 7 ConfigMaps of 10/,
    );
  });
});
