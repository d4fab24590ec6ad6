import assert from "node:assert/strict";
import { keyOf, type ObjectName } from "../../../../cluster/kinds/objectName.ts";
import type { Found } from "../../../../cluster/read/snapshot.ts";
import { roleBinding } from "../../../../objects/rbac/bindings.ts";
import { waysOf } from "../../../../objects/route/drivers/drivers.ts";
import { externalService } from "../../../../objects/route/externalService.ts";
import { serviceAccount } from "../../../../objects/serviceAccount.ts";
import { type Comparable, classify, isRebound, type ObjectFacts, unplanned } from "../../../../plan/live/classify.ts";
import { differenceOf } from "../../../../plan/live/difference.ts";
import { isAbsent } from "../../../../plan/live/unread.ts";
import { isMissing } from "../../../../plan/members/missing.ts";
import type { ReadObject } from "../../../../plan/rows/row.ts";
import { liveService } from "../../cluster/liveService.ts";
import { managedObject } from "../../cluster/operators.ts";
import { bob, labelsOf, settings } from "../../samples.ts";
import { applied, knowing } from "../planned.ts";

const args = roleBinding(bob, settings);
const binding = { kind: "RoleBinding", name: "kubecamp-edit", namespace: "bob", args } as const;

const asDeclared = applied("RoleBinding", args);
const opened = applied("RoleBinding", args, { content: { ...asDeclared.content, subjects: [] } });
const verdictOf = (live: Found | undefined, known: ObjectFacts = {}, object: Comparable = binding) =>
  classify(object, live, known).verdict;

describe("how an object stands", () => {
  it("takes an absent object for one to make, or for missing where Pulumi's state knows that", () => {
    assert.equal(verdictOf(undefined), "toMake");
    const missing = (live: Found | undefined, known: ObjectFacts = {}, object: Comparable & ObjectName = binding) =>
      isMissing(classify({ ...object, marked: "whole" } as ReadObject, live, known), knowing(keyOf(binding)));
    assert.equal(missing(undefined), true);
    assert.equal(missing(opened), false);
    assert.equal(missing(undefined, { isUnread: true }), false);
    assert.equal(missing(undefined, {}, { ...binding, name: "other" }), false);
  });

  it("leaves an object's verdict open where nobody could look", () => {
    assert.equal(verdictOf(undefined, { isUnread: true }), "unread");
    assert.equal(verdictOf(asDeclared, { isUnread: true }), "fine");
  });

  it("leaves a given object to the member, however changed, but not where that is gone", () => {
    const ignored = { ...binding, ignored: ["metadata", "subjects"] };
    assert.equal(verdictOf(opened, {}, ignored), "theirs");
    assert.equal(verdictOf(opened, { whose: "toTakeOver" }, ignored), "theirs");
    assert.equal(verdictOf(undefined, {}, ignored), "toMake");
  });

  it("tells whose an object is before how that object differs", () => {
    for (const whose of ["foreign", "toTakeOver"] as const) {
      assert.equal(verdictOf(opened, { whose }), whose);
      assert.equal(verdictOf(undefined, { whose }), "toMake");
    }
  });

  it("takes an object for fine that is as declared, also with what others may set", () => {
    assert.equal(verdictOf(asDeclared), "fine");
    assert.equal(verdictOf({ ...asDeclared, labels: { ...asDeclared.labels, team: "a" } }), "fine");
    assert.equal(verdictOf({ ...asDeclared, applied: `${asDeclared.applied}.77` }), "fine");
  });

  it("takes an object for changed by hand while the declaration is the one applied last", () => {
    assert.equal(verdictOf(opened), "changedByHand");
    assert.equal(verdictOf({ ...opened, applied: undefined }), "changedByHand");
    assert.equal(verdictOf({ ...asDeclared, labels: {} }), "changedByHand");
    assert.equal(verdictOf({ ...opened, applied: "0123456789abcdef.77" }), "declaredAnew");
    assert.equal(verdictOf({ ...asDeclared, applied: "0123456789abcdef" }), "declaredAnew");
  });

  it("takes no object for changed by hand that Kubernetes makes by itself before a run", () => {
    const account = { kind: "ServiceAccount", args: serviceAccount(bob, settings) } as const;
    assert.equal(verdictOf(managedObject({}), {}, account), "declaredAnew");
    assert.equal(verdictOf(applied("ServiceAccount", account.args, { labels: {} }), {}, account), "changedByHand");
  });

  it("finds a binding to another role, which only a replacement puts right", () => {
    const roleRef = { ...args.roleRef, name: "admin" };
    assert.equal(isRebound({ object: binding, live: asDeclared }), false);
    assert.equal(
      isRebound({ object: binding, live: { ...asDeclared, content: { ...asDeclared.content, roleRef } } }),
      true,
    );
    assert.equal(isRebound({ object: binding, live: undefined }), false);
    assert.equal(isRebound({ object: binding, live: liveService() }), false);
  });
});

describe("how a Service stands", () => {
  const declared = externalService(bob, settings, waysOf("ingress-nginx"));
  const { labels } = declared.metadata;
  const sticky = { "traefik.ingress.kubernetes.io/service.sticky.cookie": "true" };
  const by = (live: Found, adopts = false) => differenceOf("Service", declared, live, { adopts }).by;

  it("takes a Service for changed by what was read of it, and for declared anew by its mark", () => {
    const applied = differenceOf("Service", declared, undefined).digest;
    const { annotations } = declared.metadata;
    const { externalName } = declared.spec;
    const was = { type: "ExternalName", labels, annotations, externalName, applied };
    const as = (more: object) => by(liveService({ ...was, ...more }));
    assert.equal(as({}), undefined);
    for (const more of [
      { externalName: "eve-svc.eve.svc.cluster.local." },
      { type: "ClusterIP" },
      { labels: {} },
      { ports: [443] },
      { annotations: { ...annotations, ...sticky } },
    ]) {
      assert.equal(as(more), "hand", JSON.stringify(more));
      assert.equal(as({ ...more, applied: "0".repeat(16) }), "declaration");
    }
    assert.equal(by(liveService({ ...was, annotations: { ...annotations, ...sticky } }), true), undefined);
  });
});

describe("an object", () => {
  const key = "RoleBinding bob/kubecamp-edit";
  const service = { kind: "Service", name: "bob-svc", namespace: "bob" } as const;
  const there = {
    managedObjects: new Map([
      [key, opened],
      ["Role bob/other", managedObject({})],
    ]),
    services: new Map([["bob/bob-svc", liveService({ labels: labelsOf("bob") })]]),
  };

  it("takes an object for absent only where somebody could look", () => {
    const nothing = { managedObjects: new Map(), services: new Map() };
    assert.deepEqual([isAbsent(binding, there), isAbsent(service, there)], [false, false]);
    assert.deepEqual([isAbsent(binding, nothing), isAbsent(service, nothing)], [true, true]);
    const unread = { offline: false, kinds: new Map([["Service", "forbidden"] as const]) };
    const absent = [isAbsent(binding, { ...nothing, unread }), isAbsent(service, { ...nothing, unread })];
    assert.deepEqual(absent, [true, false]);
  });

  it("takes an unplanned object for a run's, as its labels say, or for somebody else's", () => {
    const found = (planned: readonly string[]) =>
      unplanned(new Set(planned), there).map(({ object: { kind, name }, standing }) => `${kind} ${name}: ${standing}`);
    assert.deepEqual(found([]), [
      "RoleBinding kubecamp-edit: leftover",
      "Role other: strange",
      "Service bob-svc: leftover",
    ]);
    assert.deepEqual(found([key, "Service bob/bob-svc"]), ["Role other: strange"]);
    assert.deepEqual(unplanned(new Set([key, "Role bob/other"]), there)[0]?.object, service);
  });
});
