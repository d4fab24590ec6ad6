import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { statusesOf } from "../../../../plan/findings/status.ts";
import { managedObject, service } from "../../cluster/operators.ts";
import { alice, bob, configuration, labelsOf, member, settings } from "../../samples.ts";
import { planOf } from "../planned.ts";

const address = "https://camp.example.org/bob/";
const fit = ["bob/bob-svc", service("ClusterIP")] as const;
const twin = ["ingress-nginx/bob-svc", service("ExternalName", labelsOf("bob"))] as const;
const home = ["Namespace bob", managedObject(labelsOf("bob"))] as const;
const ingress = ["Ingress ingress-nginx/bob", managedObject(labelsOf("bob"))] as const;

/** The state of a member on a cluster, and the reason or address, while a run targets them or somebody else. */
function seen(
  who: Member,
  services: readonly (readonly [string, ReturnType<typeof service>])[],
  managedObjects: readonly (readonly [string, ReturnType<typeof managedObject>])[],
  targeted: readonly Member[] = [],
  stack = settings,
): string {
  const snapshot = { services: new Map(services), managedObjects: new Map(managedObjects) };
  const { [who.name]: status } = statusesOf(planOf([alice, who], stack, snapshot), {
    members: targeted,
    isWhole: false,
    removedMembers: [],
    waits: false,
  });
  return `${status?.state}: ${status?.url ?? status?.reason}`;
}

describe("the status of a member whom a run leaves alone", () => {
  it("tells an untargeted member as ready where the route is open", () => {
    assert.equal(seen(bob, [fit, twin], [home, ingress]), `ready: ${address}`);
  });

  it("tells an untargeted member as pending until a run has made the route", () => {
    const lacking = [
      [[fit], [home, ingress]],
      [[fit, twin], [home]],
      [[fit, twin], [ingress]],
    ] as const;
    for (const [services, managedObjects] of lacking) {
      assert.equal(seen(bob, services, managedObjects), "pending: opens with the next run");
      assert.equal(seen(bob, services, managedObjects, [bob]), `ready: ${address}`);
    }
  });

  it("tells an untargeted member as pending where the route's objects are somebody else's", () => {
    const foreign = ["Ingress ingress-nginx/bob", managedObject({})] as const;
    assert.equal(seen(bob, [fit, twin], [home, foreign]), "pending: opens with the next run");
  });

  it("tells an untargeted member as pending where kubecamp's own Service is gone, else as ready", () => {
    const { settings: managed, members } = configuration({
      members: [{ member: "bob", type: "user" }],
      route: { host: "camp.example.org", readiness: { mode: "managed" } },
    });
    const [who = assert.fail()] = members;
    assert.equal(seen(who, [twin], [home, ingress], [], managed), "pending: opens with the next run");
    assert.equal(seen(who, [twin], [home, ingress], [who], managed), `ready: ${address}`);
    assert.equal(seen(who, [fit, twin], [home, ingress], [], managed), `ready: ${address}`);
  });

  it("tells an untargeted member who is to have no route by the home alone", () => {
    const dan = member({ member: "bob", type: "admin", route: false });
    assert.equal(seen(dan, [], [home]), "ready: undefined");
    assert.equal(seen(dan, [], []), "pending: opens with the next run");
  });

  it("tells an untargeted member as ready without a new starter app, while a Service is there", () => {
    const kept = member({ member: "bob", type: "user", starter: "kept" });
    const role = ["Role bob/kubecamp-edit", managedObject(labelsOf("bob"))] as const;
    const marked = { ...role[1], annotations: { "kubecamp.dev/starter": "made" } };
    const made = { ...service("ClusterIP", labelsOf("bob")), annotations: { "kubecamp.dev/made": "2026" } };
    const there = [["bob/bob-svc", made] as const, twin];
    assert.equal(seen(kept, there, [home, ingress, [role[0], marked]]), `ready: ${address}`);
  });
});
