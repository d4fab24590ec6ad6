import assert from "node:assert/strict";
import { takenPaths } from "../../../../cluster/read/hostPaths.ts";
import type { Member } from "../../../../config/member/member.ts";
import type { Settings } from "../../../../config/settings.ts";
import { managedObject, route, service } from "../../cluster/operators.ts";
import { alice, bob, configuration, gatewaySettings, labelsOf, settings } from "../../samples.ts";
import { planned } from "../planned.ts";

const nginx = (path: string, more: object = {}) => ({
  spec: { ...route(path).spec, ingressClassName: "nginx", ...more },
});
const others = { ...labelsOf("zoe"), "kubecamp.dev/stack": "lab" };

describe("a path that somebody else has already", () => {
  const seen = (
    who: Member,
    managedObjects: Record<string, ReturnType<typeof managedObject>>,
    stack: Settings = settings,
  ) => {
    const live = new Map(Object.entries(managedObjects));
    const services = new Map(["alice", "bob"].map((name) => [`${name}/${name}-svc`, service("ClusterIP")]));
    const snapshot = { managedObjects: live, services, taken: takenPaths(live, stack) };
    const readiness = planned(who, stack, snapshot).readiness;
    return { reason: readiness.state === "ready" ? undefined : readiness.reason, snapshot };
  };

  it("keeps a member's path from opening that a stranger or another stack has, and no other's", () => {
    const strange = { "Ingress ingress-nginx/site": managedObject({}, nginx("/bob/")) };
    const taken =
      "https://camp.example.org/bob/ is the address of Ingress 'ingress-nginx/site' already, and the older of two gets the requests; " +
      "give the member another path or host (route.path, route.host), or have that one give it up";
    assert.equal(seen(bob, strange).reason, taken);
    assert.equal(seen(alice, strange).reason, undefined);
    assert.match(
      seen(bob, { "Ingress ingress-nginx/zoe": managedObject(others, nginx("/bob")) }).reason ?? "",
      /Ingress 'ingress-nginx\/zoe' of stack 'lab' already/,
    );
  });

  it("takes no path as taken of another controller, around or below, this stack's, or going", () => {
    const free = [
      managedObject({}, nginx("/bob", { ingressClassName: "traefik" })),
      managedObject({}, nginx("/")),
      managedObject({}, nginx("/bob/admin")),
      { ...managedObject({}, nginx("/bob")), terminating: true },
    ];
    const own = { "Ingress ingress-nginx/alice": managedObject(labelsOf("alice"), nginx("/bob")) };
    assert.equal(seen(bob, own).reason, undefined);
    for (const one of free) {
      assert.equal(seen(bob, { "Ingress ingress-nginx/site": one }).reason, undefined);
    }
    const byAnnotation = {
      ...managedObject({}, route("/bob")),
      annotations: { "kubernetes.io/ingress.class": "nginx" },
    };
    assert.notEqual(seen(bob, { "Ingress ingress-nginx/site": byAnnotation }).reason, undefined);
  });

  it("keeps an open path open where somebody else has it, and takes over the member's own name", () => {
    const strange = { "Ingress ingress-nginx/site": managedObject({}, nginx("/bob")) };
    const own = { "Ingress ingress-nginx/bob": managedObject(labelsOf("bob"), nginx("/bob")) };
    assert.equal(seen(bob, { ...strange, ...own }).reason, undefined);
    const elsewhere = { "Ingress ingress-nginx/bob": managedObject(labelsOf("bob"), nginx("/other")) };
    assert.notEqual(seen(bob, { ...strange, ...elsewhere }).reason, undefined);
    assert.equal(seen(bob, { "Ingress ingress-nginx/bob": managedObject({}, nginx("/bob")) }).reason, undefined);
  });

  it("takes an object with copied labels for another's", () => {
    const copied = managedObject(labelsOf("bob"), nginx("/bob"));
    assert.notEqual(seen(bob, { "Ingress shop/site": copied }).reason, undefined);
  });

  it("has one of two serve a path that somebody has at the other, and says why", () => {
    const both = configuration({
      members: [],
      route: { host: "camp.example.org", controller: "ingress-nginx", also: { controller: "haproxy" } },
    }).settings;
    const site = (className: string) => ({
      "Ingress shop/site": managedObject({}, nginx("/bob", { ingressClassName: className })),
    });
    const servedBy = (managedObjects: Record<string, ReturnType<typeof managedObject>>, annotations: object = {}) => {
      const live = new Map(Object.entries(managedObjects));
      const services = new Map([["bob/bob-svc", { ...service("ClusterIP"), annotations: { ...annotations } }]]);
      const snapshot = { managedObjects: live, services, taken: takenPaths(live, both) };
      const plan = planned(bob, both, snapshot);
      return [plan.isOpen, plan.unservedBy !== undefined, ...plan.route.map(({ part }) => part)];
    };
    const parts = { nginx: ["route/service", "route/ingress"], haproxy: ["route/haproxy"] };
    assert.deepEqual(servedBy({}), [true, false, ...parts.nginx, ...parts.haproxy]);
    assert.deepEqual(servedBy(site("haproxy")), [true, true, ...parts.nginx]);
    assert.deepEqual(servedBy(site("nginx")), [true, true, ...parts.haproxy]);
    assert.deepEqual(servedBy({}, { "haproxy.org/backend-config-snippet": "x" }), [true, true, ...parts.nginx]);
    const [isOpen, isHalf] = servedBy({ ...site("nginx"), "Ingress web/site": site("haproxy")["Ingress shop/site"] });
    assert.deepEqual([isOpen, isHalf], [false, true]);
  });

  it("keeps a path from opening at a Gateway that somebody else has, as elsewhere", () => {
    const httpRoute = (parent: object, accepted?: string) => ({
      spec: {
        parentRefs: [parent],
        hostnames: ["camp.example.org"],
        rules: [{ matches: [{ path: { type: "PathPrefix", value: "/bob" } }] }],
      },
      ...(accepted && {
        status: { parents: [{ parentRef: parent, conditions: [{ type: "Accepted", status: accepted }] }] },
      }),
    });
    const at = (parent: object, accepted?: string, namespace = "apps") =>
      seen(bob, { [`HTTPRoute ${namespace}/site`]: managedObject({}, httpRoute(parent, accepted)) }, gatewaySettings())
        .reason;
    const gateway = { name: "public", namespace: "gateways" };
    for (const accepted of [undefined, "True", "Unknown"]) {
      assert.match(at(gateway, accepted) ?? "", /HTTPRoute 'apps\/site' already/);
    }
    assert.match(at({ name: "public" }, "True", "gateways") ?? "", /HTTPRoute 'gateways\/site' already/);
    const set = { kind: "ListenerSet", name: "any", namespace: "gateways" };
    assert.match(at(set, "True") ?? "", /HTTPRoute 'apps\/site' already/);
    assert.equal(at(set, "False"), undefined);
    const others = [
      { ...gateway, name: "inner" },
      { ...gateway, namespace: "apps" },
      { name: "public" },
      { ...gateway, namespace: "apps", kind: "ListenerSet" },
      { ...gateway, group: "", kind: "Service" },
    ];
    for (const other of others) {
      assert.equal(at(other), undefined, JSON.stringify(other));
    }
    assert.equal(at(gateway, "False"), undefined);
  });
});
