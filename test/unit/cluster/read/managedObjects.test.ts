import assert from "node:assert/strict";
import { stackKindsWhere, type TableKind } from "../../../../cluster/kinds/stackKinds.ts";
import { managedObjectsOf, ownedOf } from "../../../../cluster/read/snapshot/managedObjects.ts";

const none = Object.fromEntries(stackKindsWhere().map((kind) => [kind, []])) as Record<TableKind, never[]>;

describe("guards", () => {
  it("finds all guards of their kinds, by kind and name, as the API server has these", () => {
    const spec = { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] };
    const live = {
      metadata: { name: "isolation", namespace: "bob", resourceVersion: "7", labels: { team: "a" } },
      spec,
    };
    const annotations = { "kubecamp.dev/applied": "abc.5", other: "x" };
    const home = { metadata: { name: "bob", resourceVersion: "8", annotations } };
    assert.deepEqual(
      managedObjectsOf({
        ...none,
        NetworkPolicy: [live],
        Namespace: [{ apiVersion: "v1", kind: "Namespace", ...home }],
      }),
      new Map([
        [
          "NetworkPolicy bob/isolation",
          {
            labels: { team: "a" },
            annotations: {},
            resourceVersion: "7",
            applied: undefined,
            content: { spec },
          },
        ],
        [
          "Namespace bob",
          {
            labels: {},
            annotations,
            resourceVersion: "8",
            applied: "abc.5",
            content: {},
          },
        ],
      ]),
    );
  });

  it("tells guards and Services with the owners that would take these along when deleted", () => {
    const ownerReferences = [{ apiVersion: "crds.yadiary.net/v1", kind: "Members", name: "class", uid: "5" }];
    const owned = { metadata: { name: "bob", uid: "8", ownerReferences } };
    const service = { metadata: { name: "bob-svc", namespace: "web", uid: "9", ownerReferences } };
    const free = { metadata: { name: "default-limits", namespace: "bob", uid: "10" } };
    assert.deepEqual(
      ownedOf({ ...none, Namespace: [owned], Service: [service], LimitRange: [free] }),
      new Map([
        ["Namespace bob", { kind: "Namespace", name: "bob", namespace: undefined, uid: "8", owners: ownerReferences }],
        [
          "Service web/bob-svc",
          { kind: "Service", name: "bob-svc", namespace: "web", uid: "9", owners: ownerReferences },
        ],
      ]),
    );
  });
});
