import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { comingOf, nearOf } from "../../../../plan/findings/coming.ts";
import { noticeText } from "../../../../plan/words/notices.ts";
import { alice, bob, configuration, member, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

const now = new Date("2026-06-15T23:59:59.999Z");
const until = (name: string, expires: string, more: object = {}) =>
  member({ member: name, type: "user", expires, ...more });
const snapshot = { managedObjects: new Map() };
/** Three days before, as members and admins are told. */
const third = { step: 3, isForgotten: false, isForAdmins: true };
const near = (members: readonly ReturnType<typeof until>[], at = now, of = settings) =>
  textOf(nearOf({ members, settings: of, snapshot, now: at }, "expires"));

describe("expiry", () => {
  it("tells of expiry two weeks ahead, with the last day and today's, the nearest first", () => {
    const members = [
      ...[until("bob", "2026-06-29"), until("carol", "2026-06-15"), until("dave", "2026-06-16")],
      // Later, over, or out already; and one who stays for ever.
      ...[until("eve", "2026-06-30"), until("fay", "2026-06-14"), until("gus", "2026-06-20", { suspended: true })],
      member({ member: "hal", type: "user" }),
    ];
    assert.equal(
      near(members),
      "Expires soon: carol on 2026-06-15 (today), dave on 2026-06-16 (in 1 day), bob on 2026-06-29 (in 14 days)",
    );
  });

  it("tells of expiry so many days ahead as the settings say", () => {
    const { settings: of } = configuration({ members: [], notify: { expiryDays: [0, 30] } });
    assert.equal(near([until("bob", "2026-07-15")], now, of), "Expires soon: bob on 2026-07-15 (in 30 days)");
    assert.equal(near([until("bob", "2026-07-16")], now, of), undefined);
    const never = configuration({ members: [], notify: { expiryDays: [] } }).settings;
    assert.equal(near([until("bob", "2026-06-15")], now, never), undefined);
  });

  it("passes one threshold of expiry after the other, and knows everybody with a last day", () => {
    const steps = (expires: string, more: object = {}) =>
      comingOf({ members: [until("bob", expires, more)], settings, snapshot, now });
    const finding = { code: "expires", member: "bob", facts: { lastDay: "2026-06-18", days: 3 } };
    const at = new Date("2026-06-19T00:00:00Z");
    assert.deepEqual(steps("2026-06-18"), [{ finding, key: "expires 2026-06-18", at, ...third }]);
    const stepOf = (...args: Parameters<typeof steps>) => steps(...args).map(({ step }) => step);
    assert.deepEqual(stepOf("2026-06-19"), [14]);
    for (const far of ["2026-07-19", "2026-06-14"]) {
      assert.deepEqual(stepOf(far), [undefined]);
    }
    assert.deepEqual(stepOf("2026-06-18", { suspended: true }), [undefined]);
  });
});

const left = (leaves: string, more: Partial<Member> = {}): Member => ({
  ...bob,
  standing: "suspended",
  leaves,
  ...more,
});

describe("the removal of who has left the list", () => {
  it("tells of a leaver's removal as many days before as of a last day, the nearest first", () => {
    const members = [
      alice,
      left("2026-06-29"),
      left("2026-06-16", { name: "carol" }),
      left("2026-06-30", { name: "dan" }),
    ];
    const near = nearOf({ members, settings, snapshot, now }, "removal");
    assert.equal(textOf(near), "Removed soon: carol on 2026-06-16 (in 1 day), bob on 2026-06-29 (in 14 days)");
    const gone = "You are no longer in the list. Your environment is deleted with everything in it from";
    const notices = near.map((one) => one.code === "removal" && noticeText({ ...one, code: "removal" }));
    assert.deepEqual(notices, [`${gone} 2026-06-16 on, in 1 day.`, `${gone} 2026-06-29 on, in 14 days.`]);
  });

  it("knows a leaver's removal with its time, and takes it as over on its day", () => {
    const finding = { code: "removal", member: "bob", facts: { day: "2026-06-18", days: 3 } };
    const at = new Date("2026-06-18T00:00:00Z");
    const found = comingOf({ members: [left("2026-06-18")], settings, snapshot, now });
    assert.deepEqual(found, [{ finding, key: "removal 2026-06-18", at, ...third }]);
    const [over] = comingOf({ members: [left("2026-06-15")], settings, snapshot, now });
    assert.equal(over?.step, undefined);
  });
});
