import assert from "node:assert/strict";
import { onTheirWay, type RemovedMember, removedMembers } from "../../../../plan/live/removedMembers.ts";
import { cluster, managedObject, owned, service } from "../../cluster/leaving.ts";
import { bob, labelsOf, settings } from "../../samples.ts";

const gone: Omit<RemovedMember, "name"> = { namespace: "gone", protect: false, outside: [] };
const twin = (name: string, namespace = "ingress-nginx") => ({ kind: "Service", name, namespace }) as const;
const binding = (name: string) => ({ kind: "ClusterRoleBinding", name, namespace: undefined }) as const;
const ingress = { kind: "Ingress", name: "zoe", namespace: "ingress-nginx" } as const;

describe("leavers", () => {
  it("finds leavers by this stack's objects, each with what is outside their namespace", () => {
    const snapshot = cluster({
      namespaces: new Map([
        ["bob", owned("bob")],
        ["zoe", owned("zoe", { "kubecamp.dev/protected": "true" })],
        ["xia", { ...owned("xia", { "kubecamp.dev/protected": "false" }), terminating: true }],
        ["uma", owned("uma", { "kubecamp.dev/stack": "prod" })],
        ["kube-system", { labels: {}, terminating: false }],
      ]),
      services: new Map([["ingress-nginx/zoe-svc", service("ExternalName", labelsOf("zoe"))]]),
      managedObjects: new Map([
        ["ClusterRoleBinding kubecamp:dev:bob:view", managedObject("bob")],
        ["ClusterRoleBinding kubecamp:dev:yan:view", managedObject("yan")],
        ["Ingress ingress-nginx/zoe", managedObject("zoe")],
      ]),
    });
    assert.deepEqual(removedMembers([bob], settings, snapshot), [
      { ...gone, name: "xia", namespace: "terminating" },
      { ...gone, name: "yan", outside: [binding("kubecamp:dev:yan:view")] },
      { name: "zoe", namespace: "live", protect: true, outside: [ingress, twin("zoe-svc")] },
    ]);
  });

  it("knows leavers by their guard rails where somebody took the labels off the namespace", () => {
    const snapshot = cluster({
      namespaces: new Map([["zoe", { labels: {}, terminating: false }]]),
      managedObjects: new Map([
        ["LimitRange zoe/default-limits", managedObject("zoe")],
        ["NetworkPolicy zoe/isolation", managedObject("zoe")],
      ]),
    });
    assert.deepEqual(removedMembers([bob], settings, snapshot), [{ ...gone, name: "zoe", namespace: "live" }]);
  });

  it("knows leavers by a Service that leads to them where another ingress controller was", () => {
    const snapshot = cluster({ services: new Map([["traefik/zoe-svc", service("ExternalName", labelsOf("zoe"))]]) });
    const found = removedMembers([bob], settings, snapshot);
    assert.deepEqual(found, [{ ...gone, name: "zoe", outside: [twin("zoe-svc", "traefik")] }]);
  });

  it("knows no leaver by Services that members label, nor by a copied guard rail", () => {
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      services: new Map([
        ["bob/zoe-svc", service("ExternalName", labelsOf("zoe"))],
        ["default/zoe-svc", service("ClusterIP", labelsOf("zoe"))],
        ["default/other", service("ExternalName", labelsOf("zoe"))],
      ]),
      managedObjects: new Map([
        ["LimitRange bob/default-limits", managedObject("zoe")],
        ["HTTPRoute default/zoe", managedObject("zoe")],
        ["RoleBinding default/zoe", managedObject("zoe")],
      ]),
    });
    assert.deepEqual(removedMembers([bob], settings, snapshot), []);
  });

  it("takes leavers as on their way whose last namespace is being deleted", () => {
    const terminating: RemovedMember = { ...gone, name: "zoe", namespace: "terminating" };
    assert.equal(onTheirWay(terminating), true);
    assert.equal(onTheirWay({ ...terminating, namespace: "live" }), false);
    assert.equal(onTheirWay({ ...terminating, outside: [binding("kubecamp:dev:zoe:view")] }), false);
    assert.equal(onTheirWay({ ...terminating, namespace: "gone", outside: [ingress] }), false);
  });
});
