import assert from "node:assert/strict";
import { leavingMembers, notGone } from "../../../../../plan/membership/offboarding/deletionPlan.ts";
import { cluster, inhabitedBy, managedObject, owned, service } from "../../../cluster/leaving.ts";
import { alice, bob, labelsOf, settings } from "../../../samples.ts";
import { planOf, textOf } from "../../planned.ts";

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
