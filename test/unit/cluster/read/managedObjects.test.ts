import assert from "node:assert/strict";
import { stackKindsWhere, type TableKind } from "../../../../cluster/kinds/stackKinds.ts";
import { managedObjectsOf, ownedOf } from "../../../../cluster/read/managedObjects.ts";
import { liveObject } from "../liveService.ts";

const none = Object.fromEntries(stackKindsWhere().map((kind) => [kind, []])) as Record<TableKind, never[]>;

describe("guards", () => {
  it("finds all guards of their kinds, by kind and name, as the API server has these", () => {
    const spec = { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] };
    const labels = { team: "a" };
    const live = { metadata: { name: "isolation", namespace: "bob", resourceVersion: "7", labels }, spec };
    const annotations = { "kubecamp.dev/applied": "abc.5", other: "x" };
    const home = { apiVersion: "v1", kind: "Namespace", metadata: { name: "bob", resourceVersion: "8", annotations } };
    const found = managedObjectsOf({ ...none, NetworkPolicy: [live], Namespace: [home] });
    assert.deepEqual(Object.fromEntries(found), {
      "NetworkPolicy bob/isolation": liveObject({ labels, content: { spec } }),
      "Namespace bob": liveObject({ annotations, resourceVersion: "8", applied: "abc.5" }),
    });
  });

  it("knows when the API server made an object that members write, which is when they asked to be awake", () => {
    const metadata = { name: "wake", namespace: "bob", creationTimestamp: "2026-11-26T22:00:00Z" } as never;
    const created = (kind: TableKind) =>
      managedObjectsOf({ ...none, [kind]: [{ metadata }] }).get(`${kind} bob/wake`)?.created;
    assert.deepEqual([created("ConfigMap"), created("Role")], ["2026-11-26T22:00:00.000Z", undefined]);
  });

  it("tells guards and Services with the owners that would take these along when deleted", () => {
    const ownerReferences = [{ apiVersion: "crds.yadiary.net/v1", kind: "Members", name: "class", uid: "5" }];
    const owned = { metadata: { name: "bob", uid: "8", ownerReferences } };
    const service = { metadata: { name: "bob-svc", namespace: "web", uid: "9", ownerReferences } };
    const free = { metadata: { name: "default-limits", namespace: "bob", uid: "10" } };
    const owners = ownerReferences;
    const found = ownedOf({ ...none, Namespace: [owned], Service: [service], LimitRange: [free] });
    assert.deepEqual(Object.fromEntries(found), {
      "Namespace bob": { kind: "Namespace", name: "bob", namespace: undefined, uid: "8", owners },
      "Service web/bob-svc": { kind: "Service", name: "bob-svc", namespace: "web", uid: "9", owners },
    });
  });
});
