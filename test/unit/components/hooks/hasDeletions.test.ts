import assert from "node:assert/strict";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot.ts";
import { hasDeletions } from "../../../../components/hooks/waiting.ts";
import type { Member } from "../../../../config/member/member.ts";
import { cluster, inhabitedBy, managedObject } from "../../cluster/leaving.ts";
import { liveService } from "../../cluster/liveService.ts";
import { runOf } from "../../plan/planned.ts";
import { alice, bob, labelsOf, member, settings } from "../../samples.ts";

const takes = (members: readonly Member[], snapshot: ClusterSnapshot, targeted: readonly Member[] = members) =>
  hasDeletions(
    ...runOf(
      members,
      { members: targeted, isWhole: targeted === members, removedMembers: [], waits: false },
      settings,
      snapshot,
    ),
  );
const on = (...keys: string[]) =>
  cluster({
    managedObjects: new Map(keys.map((key) => [key, managedObject("bob")])),
    services: new Map([["bob/bob-svc", liveService()]]),
  });
const atHome = ["Namespace bob", "RoleBinding bob/kubecamp-edit", "Role bob/kubecamp-edit", "ResourceQuota bob/quota"];
const open = "Ingress ingress-nginx/bob";

describe("a run takes something away", () => {
  it("takes something away from who leaves, unless the run targets others", () => {
    assert.equal(takes([alice], inhabitedBy("alice", "bob")), true);
    assert.equal(takes([alice], inhabitedBy("alice")), false);
    assert.equal(takes([alice, bob], inhabitedBy("alice", "bob", "zoe"), [alice]), false);
    const zoe = { ...inhabitedBy("zoe").namespaces.get("zoe"), labels: labelsOf("zoe"), terminating: true };
    assert.equal(takes([alice], cluster({ namespaces: new Map([["zoe", zoe]]) })), false);
    // Also where no label tells any more that it is theirs.
    const target = { members: [alice], isWhole: false, removedMembers: ["zoe"], waits: true };
    assert.equal(hasDeletions(...runOf([alice, bob], target, settings, inhabitedBy("alice", "bob"))), true);
  });

  it("takes nothing away from members who have no more than is declared", () => {
    assert.equal(takes([bob], on(...atHome, open)), false);
    assert.equal(takes([bob], on()), false);
  });

  it("takes something away from who is suspended, until the keys are gone", () => {
    const suspended: Member = { ...bob, standing: "suspended" };
    assert.equal(takes([suspended], on(...atHome)), true);
    assert.equal(takes([suspended], on("Namespace bob", "Role bob/kubecamp-edit", "ResourceQuota bob/quota")), false);
  });

  it("takes something away from who gets other rights", () => {
    assert.equal(takes([{ ...bob, type: { ...bob.type, home: "view" } }], on(...atHome)), true);
    assert.equal(
      takes([{ ...bob, type: { ...bob.type, others: "none" } }], on("ClusterRoleBinding kubecamp:dev:bob:view")),
      true,
    );
  });

  it("takes something away from members whose open path must close, or becomes another object", () => {
    const { services: _, ...unserved } = on(open);
    assert.equal(takes([bob], cluster({ ...unserved })), true);
    assert.equal(takes([member({ member: "bob", type: "user", route: false })], on(open)), true);
    const gateway = { ...settings, route: { ...settings.route, kind: "gateway" as const } };
    assert.equal(
      hasDeletions(
        ...runOf([bob], { members: [bob], isWhole: true, removedMembers: [], waits: false }, gateway, on(open)),
      ),
      true,
    );
  });

  it("takes nothing away from members that a run does not target, nor what is another stack's", () => {
    assert.equal(takes([alice, { ...bob, standing: "suspended" }], on(...atHome), [alice]), false);
    const others = managedObject("bob");
    const labels = { ...others.labels, "kubecamp.dev/stack": "prod" };
    assert.equal(
      takes([bob], cluster({ managedObjects: new Map([["Ingress ingress-nginx/x", { ...others, labels }]]) })),
      false,
    );
  });

  it("takes nothing away for objects that members can label as the stack's, as buckets' Secrets", () => {
    for (const key of ["ConfigMap bob/x", "Secret bob/x", "ConfigMap bob/kubecamp-backend-ca"]) {
      assert.equal(takes([bob], on(...atHome, open, key)), false, key);
    }
  });
});
