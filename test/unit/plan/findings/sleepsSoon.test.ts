import assert from "node:assert/strict";
import { atMoment } from "../../../../plan/decisions/sleep.ts";
import { comingOf, nearOf } from "../../../../plan/findings/coming.ts";
import { noticeText } from "../../../../plan/words/notices.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { alice, member, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
const sleeper = (name: string, more: object = {}) => member({ member: name, type: "user", schedule, ...more });
const bob = sleeper("bob");
/** A cluster where the platform keeps bob awake. */
const kept = (until: string) => {
  const annotations = { "kubecamp.dev/awake-until": until };
  return cluster({ managedObjects: new Map([["Namespace bob", { ...managedObject("bob"), annotations }]]) });
};
const look = (time: string, members = [bob], snapshot = cluster()) => {
  const now = new Date(`2026-11-26T${time}+01:00`);
  return { members: atMoment(members, snapshot, now), settings, snapshot, now };
};
const near = (...args: Parameters<typeof look>) => nearOf(look(...args), "sleepsSoon");

describe("the sleep of a member", () => {
  it("tells of a member's sleep a quarter of an hour before, with its time in their zone", () => {
    const others = sleeper("carol", { schedule: { ...schedule, sleep: "5 20 * * *", timeZone: "Europe/Berlin" } });
    assert.deepEqual(near("19:44:59", [alice, bob]), []);
    const found = near("19:50:00", [alice, bob, sleeper("dan"), others]);
    assert.equal(
      textOf(found),
      "Asleep soon: bob, dan at 2026-11-26 20:00 Europe/Zurich (in 10 minutes)\n" +
        "Asleep soon: carol at 2026-11-26 20:05 Europe/Berlin (in 15 minutes)",
    );
    assert.deepEqual(
      near("19:59:01").map((one) => one.code === "sleepsSoon" && noticeText({ ...one, code: "sleepsSoon" })),
      [
        "Your pods stop at 2026-11-26 20:00 Europe/Zurich (in 1 minute), and new ones are refused until you wake. " +
          "Everything else stays.",
      ],
    );
  });

  it("knows a member's next sleep with its time, for members alone", () => {
    const at = new Date("2026-11-26T19:00:00Z");
    const facts = { at: "2026-11-26T19:00:00.000Z", timeZone: "Europe/Zurich", minutes: 15 };
    const finding = { code: "sleepsSoon", member: "bob", facts };
    const coming = { finding, at, step: 15, isForgotten: false, isForAdmins: false };
    assert.deepEqual(comingOf(look("19:45:00")), [{ ...coming, key: `sleepsSoon ${facts.at}` }]);
  });

  it("starts a member's sleep at the end of being kept awake, if their schedule says so then", () => {
    const atOf = (time: string, until: string) => comingOf(look(time, [bob], kept(until))).map(({ at }) => at);
    // Before the sleep, in it, beyond it, and over.
    assert.deepEqual(atOf("19:50:00", "2026-11-26T21:00:00Z"), [new Date("2026-11-26T21:00:00Z")]);
    assert.deepEqual(atOf("22:30:00", "2026-11-26T22:30:00Z"), [new Date("2026-11-26T22:30:00Z")]);
    assert.deepEqual(atOf("22:30:00", "2026-11-27T07:00:00Z"), [new Date("2026-11-27T19:00:00Z")]);
    assert.deepEqual(atOf("12:00:00", "2026-11-26T10:00:00Z"), [new Date("2026-11-26T19:00:00Z")]);
  });

  it("starts the sleep of a member who asked by day to be awake when that is over", () => {
    const live = (more: object = {}) => {
      const managedObjects = new Map([
        ["Namespace bob", managedObject("bob")],
        ["ConfigMap bob/wake", { ...managedObject("bob"), created: "2026-11-26T14:00:00.000Z", ...more }],
      ]);
      return cluster({ managedObjects });
    };
    const atOf = (wakeFor: string, more: object = {}) =>
      comingOf(look("19:50:00", [sleeper("bob", { schedule: { ...schedule, wakeFor } })], live(more)))[0]?.at;
    assert.deepEqual(atOf("2h"), new Date("2026-11-26T21:00:00Z"));
    assert.deepEqual(atOf("24h"), new Date("2026-11-27T19:00:00Z"));
    assert.deepEqual(atOf("2h", { terminating: true }), new Date("2026-11-26T19:00:00Z"));
  });

  it("tells of no sleep to a member asleep, suspended or expired, or without any", () => {
    assert.deepEqual(comingOf(look("20:00:00")), []);
    const members = [sleeper("carol", { suspended: true }), sleeper("dan", { schedule: "off" })];
    assert.deepEqual(comingOf(look("19:50:00", members)), []);
    assert.deepEqual(near("19:50:00", [sleeper("eve", { expires: "2026-06-14" })]), []);
  });
});
