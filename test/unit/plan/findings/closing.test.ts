import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { closingDoors, closingRoutes } from "../../../../plan/findings/closing.ts";
import { type MemberStatus, statusOf } from "../../../../plan/findings/status.ts";
import { managedObject, owned } from "../../cluster/leaving.ts";
import { alice, bob, carol, labelsOf, member, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

const dan = member({ member: "dan", type: "user", route: false });
const erin = member({ member: "erin", type: "user" });
const reason = "no Service 'bob-svc' in namespace 'bob'";
const nothing = { managedObjects: new Map(), namespaces: new Map() };
const routes = (members: readonly Member[], statuses: Record<string, MemberStatus>, open: readonly string[]) =>
  textOf(
    closingRoutes(members, statuses, settings, {
      ...nothing,
      managedObjects: new Map(open.map((name) => [`Ingress ingress-nginx/${name}`, managedObject(name)])),
    }),
  );

describe("what closes", () => {
  it("names open routes that close by member and reason: no Service, or not wanted any more", () => {
    const statuses = {
      alice: statusOf(alice, { state: "ready" }),
      bob: statusOf(bob, { state: "pending", reason }),
      carol: statusOf(carol, { state: "pending", reason: "it never was open" }),
      dan: statusOf(dan, { state: "ready" }),
    };
    const text = routes([alice, bob, carol, dan], statuses, ["alice", "bob", "dan"]);
    assert.equal(text, `Routes that were open, and that 'pulumi up' closes:\n  bob: ${reason}\n  dan: route: false`);
    assert.equal(routes([alice, carol], statuses, ["alice"]), undefined);
  });

  it("names no closing route of somebody else's that has the member's name", () => {
    const statuses = { bob: statusOf(bob, { state: "pending", reason }) };
    const theirs = { ...managedObject("bob"), labels: { ...labelsOf("bob"), "kubecamp.dev/stack": "prod" } };
    const managedObjects = new Map([["Ingress ingress-nginx/bob", theirs]]);
    assert.equal(textOf(closingRoutes([bob], statuses, settings, { ...nothing, managedObjects })), undefined);
  });

  it("names the member active until this run whose door closes, with the last day", () => {
    const before = { alice: "active", bob: "active", carol: "suspended", dan: "active", erin: "active" };
    const namespaces = new Map(
      Object.entries(before).map(([name, standing]) => [name, owned(name, { "kubecamp.dev/standing": standing })]),
    );
    const members: Member[] = [
      { ...alice, standing: "suspended" },
      { ...bob, standing: "expired", expires: "2026-06-14" },
      { ...carol, standing: "suspended" },
      dan,
      { ...erin, standing: "suspended", expires: "2026-06-14", leaves: "2026-07-15" },
    ];
    assert.equal(
      textOf(closingDoors(members, { ...nothing, namespaces })),
      "Suspended or expired; 'pulumi up' ends their access and closes their route: alice, bob (the last day was 2026-06-14), erin (left the list)",
    );
    assert.equal(textOf(closingDoors([dan], { ...nothing, namespaces })), undefined);
  });
});
