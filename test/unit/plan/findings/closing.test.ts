import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { closingDoors, closingRoutes, sleepTold, unsettledSleepers } from "../../../../plan/findings/closing.ts";
import { type MemberStatus, statusOf } from "../../../../plan/findings/status.ts";
import { sleepersIn } from "../../../../plan/members/restless.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
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

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
const sleep = { since: "2026-11-26T19:00:00.000Z", until: "2026-11-27T06:00:00.000Z" };
const asleep = (member: Member): Member => ({ ...member, schedule, standing: "asleep", sleep });

describe("sleep", () => {
  it("tells of sleep, with equal times once, and with who wakes the members", () => {
    const long = { ...asleep(carol), sleep: { ...sleep, until: "2026-11-30T06:00:00.000Z" } };
    assert.equal(
      textOf(sleepTold([asleep(alice), asleep(bob), long])),
      "alice, bob: asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich\n" +
        "carol: asleep since 2026-11-26 20:00, until 2026-11-30 07:00 Europe/Zurich\n" +
        "They have access, but no pods and no path. 'kubecamp watch' wakes them in time; without it, the next 'pulumi up'\n" +
        "after that does (docs/run/sleep.md).",
    );
    assert.equal(textOf(sleepTold([alice, { ...bob, standing: "suspended" }])), undefined);
  });

  it("finds more to do than objects until a run has marked sleepers, and seen to who has woken", () => {
    const slept = { ...managedObject("carol"), annotations: { "kubecamp.dev/slept": sleep.since } };
    const managedObjects = new Map(["Namespace carol", "Namespace alice"].map((key) => [key, slept]));
    assert.deepEqual(sleepersIn([asleep(bob), carol, alice, { ...bob, name: "dan" }], cluster({ managedObjects })), [
      { member: "bob", since: sleep.since, keepsQuota: true },
      { member: "carol", since: undefined, keepsQuota: true },
      { member: "alice", since: undefined, keepsQuota: false },
    ]);
  });

  it("finds as much to do for who comes back from a suspension", () => {
    const was = (name: string, standing: string) => {
      const home = managedObject(name);
      return [`Namespace ${name}`, { ...home, labels: { ...home.labels, "kubecamp.dev/standing": standing } }] as const;
    };
    const managedObjects = new Map([
      was("bob", "suspended"),
      was("alice", "expired"),
      was("carol", "active"),
      was("dan", "suspended"),
      was("eve", "suspended"),
    ]);
    const dan: Member = { ...bob, name: "dan", standing: "suspended" };
    const eve = asleep({ ...bob, name: "eve" });
    assert.deepEqual(sleepersIn([bob, alice, carol, dan, eve], cluster({ managedObjects })), [
      { member: "bob", since: undefined, keepsQuota: true, wasSuspended: true },
      { member: "alice", since: undefined, keepsQuota: false, wasSuspended: true },
      { member: "eve", since: sleep.since, keepsQuota: true },
    ]);
  });

  it("tells of sleep that a run has not finished, and of who comes back later", () => {
    assert.equal(
      textOf(unsettledSleepers(new Map([["bob", "403 forbidden"]]), [{ member: "bob", wasSuspended: true }])),
      "Back from a suspension. Their pods start within a quarter of an hour: kubecamp could not have them start at once\n" +
        "(docs/run/suspension.md#let-the-member-come-back):\n" +
        "  bob: 403 forbidden",
    );
    assert.equal(
      textOf(unsettledSleepers(new Map([["bob", "403 forbidden"]]), [{ member: "bob" }])),
      "Members whose falling asleep or waking is incomplete; the next run tries again:\n  bob: 403 forbidden",
    );
  });
});
