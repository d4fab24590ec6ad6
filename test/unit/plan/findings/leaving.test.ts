import assert from "node:assert/strict";
import type { LeavingBucket } from "../../../../buckets/bucket/leaving.ts";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot.ts";
import { targetAll } from "../../../../plan/decisions/target.ts";
import { leavingFindings, leavingMembers, letGoOf, notGone } from "../../../../plan/findings/leaving.ts";
import { planStack } from "../../../../plan/members/plan.ts";
import { cluster, inhabitedBy, managedObject, owned, service } from "../../cluster/leaving.ts";
import { alice, bob, labelsOf, settings } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

const claim = (name: string, storage: string) => ({ name, storage });

describe("the deletion plan", () => {
  it("says of each leaver what is lost, and of nobody else", () => {
    const rules = [{ host: "camp.example.org", http: { paths: [{ path: "/zoe", pathType: "Prefix" }] } }];
    const snapshot = cluster({
      namespaces: new Map([
        ["bob", owned("bob")],
        ["xia", { ...owned("xia"), terminating: true }],
        ["zoe", owned("zoe")],
      ]),
      services: new Map([
        ["bob/bob-svc", service("ClusterIP")],
        ["zoe/web", service("ClusterIP")],
        ["zoe/zoe-svc", service("ClusterIP")],
        ["ingress-nginx/zoe-svc", service("ExternalName", labelsOf("zoe"))],
        ["traefik/wes-svc", service("ExternalName", labelsOf("wes"))],
      ]),
      managedObjects: new Map([
        ["ClusterRoleBinding kubecamp:dev:yan:view", managedObject("yan")],
        ["ClusterRoleBinding kubecamp:dev:zoe:view", managedObject("zoe")],
        ["Ingress ingress-nginx/zoe", managedObject("zoe", { spec: { rules } })],
        ["RoleBinding zoe/kubecamp-edit", managedObject("zoe")],
        ["RoleBinding bob/kubecamp-edit", managedObject("bob")],
        ["ClusterRoleBinding kubecamp:dev:xia:view", managedObject("xia")],
      ]),
      namespaceContents: new Map([
        ["bob", { pods: 9, claims: [claim("diary", "1Gi")] }],
        ["zoe", { pods: 3, claims: [claim("data", "10Gi"), claim("cache", "1Gi")] }],
      ]),
    });
    assert.equal(
      textOf(leavingMembers(planOf([bob], settings, snapshot))),
      `No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:
  wes: route Service traefik/wes-svc
  xia: namespace, which is being deleted already, with no unfinished pods, no PersistentVolumeClaims; access (1 binding)
  yan: access (1 binding)
  zoe: namespace with 3 unfinished pods, 2 PersistentVolumeClaims (data 10Gi, cache 1Gi), 2 Services (web, zoe-svc); route https://camp.example.org/zoe/; access (2 bindings)`,
    );
  });

  it("leaves out a leaver whose namespace is being deleted, and says what keeps that", () => {
    const conditions = [{ status: "True", message: "example.org/held in 1 resource instances" }];
    const home = { ...managedObject("xia", { status: { conditions } }), terminating: true };
    const snapshot = cluster({
      namespaces: new Map([["xia", { ...owned("xia"), terminating: true }]]),
      managedObjects: new Map([["Namespace xia", home]]),
    });
    const plan = planOf([bob], settings, snapshot);
    assert.deepEqual(leavingMembers(plan), []);
    assert.equal(
      textOf(notGone(plan)),
      "Removed, and not gone yet (docs/run/terminating.md):\n" +
        "  xia: namespace 'xia' is being deleted: example.org/held in 1 resource instances",
    );
    assert.deepEqual(notGone(planOf([bob], settings, inhabitedBy("xia"))), []);
  });

  it("counts nothing in a leaver's namespace that is another stack's by now", () => {
    const snapshot = cluster({
      namespaces: new Map([["zoe", owned("zoe", { "kubecamp.dev/stack": "prod" })]]),
      managedObjects: new Map([
        ["ClusterRoleBinding kubecamp:dev:zoe:view", managedObject("zoe")],
        ["RoleBinding zoe/kubecamp-edit", managedObject("zoe")],
      ]),
    });
    assert.match(textOf(leavingMembers(planOf([bob], settings, snapshot))) ?? "", /\n {2}zoe: access \(1 binding\)\n/);
  });

  it("says that nothing moves over when somebody comes as somebody leaves, who may be one", () => {
    const renamed = /\nA new name is a new member: a renamed member loses everything too\.$/;
    assert.match(textOf(leavingMembers(planOf([alice, bob], settings, inhabitedBy("bob", "ally")))) ?? "", renamed);
    assert.doesNotMatch(textOf(leavingMembers(planOf([bob], settings, inhabitedBy("bob", "ally")))) ?? "", renamed);
  });

  it("names a few of a leaver's many claims", () => {
    const claims = Array.from({ length: 8 }, (_, index) => claim(`data-${index}`, "1Gi"));
    const snapshot = { ...inhabitedBy("zoe"), namespaceContents: new Map([["zoe", { pods: 1, claims }]]) };
    assert.match(
      textOf(leavingMembers(planOf([], settings, snapshot))) ?? "",
      /1 unfinished pod, 8 PersistentVolumeClaims \(data-0 1Gi, data-1 1Gi, data-2 1Gi, data-3 1Gi, data-4 1Gi and 3 more\)$/,
    );
  });
});

const gone = (member: string, more: Partial<LeavingBucket> = {}): LeavingBucket => ({
  ...{ bucketName: `${member}-data`, name: "", member, reclaimPolicy: "Delete", deletes: { objects: 1, more: false } },
  ...more,
});

describe("buckets that are let go of", () => {
  it("tells of buckets let go of with what is lost in each, or that they stay", () => {
    assert.equal(textOf(leavingFindings([])), undefined);
    assert.equal(
      textOf(
        leavingFindings([
          { bucketName: "dan-data", name: "", member: "dan", reclaimPolicy: "Retain" },
          gone("bob", { deletes: { objects: 10_000, more: false } }),
          gone("cleo", { deletes: { objects: 100_000, more: true } }),
          gone("alice"),
          gone("eve", { deletes: { objects: 0, more: false } }),
        ]),
      ),
      `Buckets that are no longer in the list, and what 'pulumi up' does with them:
  alice: 'alice-data' is deleted with 1 object (Delete)
  bob: 'bob-data' is deleted with 10,000 objects (Delete)
  cleo: 'cleo-data' is deleted with more than 100,000 objects (Delete)
  dan: 'dan-data' stays on the server with all that is in it, closed to everybody (Retain)
  eve: 'eve-data' is deleted with no objects (Delete)`,
    );
  });

  const namesOf = (buckets: readonly LeavingBucket[]) => buckets.map(({ member }) => member);
  const leaving = ["alice", "bob", "zoe"].map((name) => gone(name));

  it("tells of everybody's buckets let go of in a run for all, else of the run's members'", () => {
    const list = [alice, bob];
    const run = { plan: planOf(list, settings, cluster()) };
    assert.deepEqual(namesOf(letGoOf(leaving, { ...run, target: targetAll(list) })), ["alice", "bob", "zoe"]);
    const some = (members: readonly (typeof bob)[], removedMembers: readonly string[]) =>
      namesOf(letGoOf(leaving, { ...run, target: { members, removedMembers, isWhole: false, waits: false } }));
    assert.deepEqual(some([bob], []), ["bob"]);
    assert.deepEqual(some([], ["zoe"]), ["zoe"]);
  });

  it("tells in a shard of buckets let go of by its own members, and by who leaves it", () => {
    const shard = { ...settings, stack: "dev-0", shards: { family: "dev", count: 2 } };
    const target = targetAll([bob]);
    const runOn = (snapshot: ClusterSnapshot) => ({ plan: planStack([alice, bob], [bob], shard, snapshot), target });
    assert.deepEqual(namesOf(letGoOf(leaving, runOn(cluster()))), ["bob"]);
    const zoe = owned("zoe", { "kubecamp.dev/stack": "dev-0" });
    const snapshot = cluster({ namespaces: new Map([["zoe", zoe]]) });
    assert.deepEqual(namesOf(letGoOf(leaving, runOn(snapshot))), ["bob", "zoe"]);
  });
});
