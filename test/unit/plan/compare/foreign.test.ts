import assert from "node:assert/strict";
import type { ObjectName } from "../../../../cluster/read/snapshot.ts";
import { isOurs, ownerOf, whoseOf } from "../../../../plan/compare/foreign.ts";
import { bob, labelsOf, member, settings, withBuckets } from "../../samples.ts";

const ours = { labels: labelsOf("bob") };
const unlabelled = { labels: {} };
const ofAnother = { labels: labelsOf("eve") };
const elsewhere = { labels: { ...labelsOf("bob"), "kubecamp.dev/stack": "prod" } };
const shards = { family: "dev", count: 2 };

const object = (kind: ObjectName["kind"], namespace?: string, name = "bob"): ObjectName => ({ kind, name, namespace });
const whose = (kind: ObjectName["kind"], namespace: string | undefined, live: object, adopt = false) =>
  whoseOf(object(kind, namespace), { labels: {}, ...live }, { ...bob, adopt }, settings);

describe("whose a live object is", () => {
  it("is told by its labels: another stack's, another member's, or neither", () => {
    const none = { stack: undefined, member: undefined };
    assert.deepEqual(ownerOf(ours, settings, bob), none);
    assert.deepEqual(ownerOf(unlabelled, settings, bob), none);
    assert.deepEqual(ownerOf(ofAnother, settings, bob), { stack: undefined, member: "eve" });
    assert.deepEqual(ownerOf(ours, settings, undefined), { stack: undefined, member: "bob" });
    assert.deepEqual(ownerOf(elsewhere, settings, bob), { stack: "prod", member: undefined });
  });

  it("is the stack's that has made it, or one of the family's that has handed it over", () => {
    assert.deepEqual(
      [ours, unlabelled, elsewhere].map((live) => isOurs(live, settings)),
      [true, false, false],
    );
    const sibling = { labels: { ...labelsOf("bob"), "kubecamp.dev/stack": "dev-1" } };
    assert.equal(isOurs(sibling, settings), false);
    assert.equal(isOurs(sibling, { ...settings, shards }), true);
  });

  it("is a stranger's, or another's, wherever the member does not live", () => {
    for (const [kind, namespace] of [
      ["Namespace", undefined],
      ["ClusterRoleBinding", undefined],
      ["Ingress", "ingress-nginx"],
      ["Service", "ingress-nginx"],
    ] as const) {
      assert.equal(whose(kind, namespace, ours), "ours", kind);
      for (const live of [unlabelled, ofAnother, elsewhere, { applied: "0123" }]) {
        assert.equal(whose(kind, namespace, live), "foreign", kind);
      }
    }
  });

  it("is at home the stack's, but for what not every run declares, unless a run has applied it", () => {
    for (const kind of ["RoleBinding", "NetworkPolicy", "Deployment", "Service"] as const) {
      assert.equal(whose(kind, "bob", unlabelled), "ours", kind);
    }
    for (const kind of ["ResourceQuota", "HTTPRoute", "BackendTLSPolicy"] as const) {
      assert.equal(whose(kind, "bob", ours), "ours", kind);
      assert.equal(whose(kind, "bob", unlabelled), "foreign", kind);
      assert.equal(whose(kind, "bob", ofAnother), "foreign", kind);
      assert.equal(whose(kind, "bob", { applied: "0123" }), "ours", kind);
    }
  });

  it("is to be taken over with adopt, wherever it is, but for what is nobody's and what can't be", () => {
    for (const [kind, namespace] of [
      ["Namespace", undefined],
      ["LimitRange", "bob"],
      ["Ingress", "ingress-nginx"],
    ] as const) {
      assert.equal(whose(kind, namespace, unlabelled, true), "toTakeOver", kind);
      assert.equal(whose(kind, namespace, ours, true), "ours", kind);
    }
    assert.equal(whose("ServiceAccount", "bob", unlabelled, true), "ours");
    const stack = withBuckets({ member: "ida", type: "user", buckets: [{ name: "data" }] });
    const ida = { ...member({ member: "ida", type: "user" }), ...stack.members[0], adopt: true };
    assert.equal(whoseOf(object("Secret", "ida", "data"), unlabelled, ida, stack.settings), "ours");
    assert.equal(whoseOf(object("Role", "ida", "data"), unlabelled, ida, stack.settings), "toTakeOver");
  });
});
