import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { sleepTold, unsettledSleepers } from "../../../../plan/findings/sleep.ts";
import { sleepersIn } from "../../../../plan/membership/restless.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { alice, bob, carol } from "../../samples.ts";
import { textOf } from "../planned.ts";

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
      "Back from a suspension; controllers create the pods within a quarter of an hour, since they could not be nudged\n" +
        "(docs/run/suspension.md#let-the-member-come-back):\n" +
        "  bob: 403 forbidden",
    );
    assert.equal(
      textOf(unsettledSleepers(new Map([["bob", "403 forbidden"]]), [{ member: "bob" }])),
      "Members whose falling asleep or waking is incomplete; the next run tries again:\n  bob: 403 forbidden",
    );
  });
});
