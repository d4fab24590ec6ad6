import assert from "node:assert/strict";
import type { Member } from "../../../../config/model/members/member.ts";
import { comingOf, nearOf } from "../../../../plan/coming/coming.ts";
import { noticeText } from "../../../../plan/messages/coming/noticeWords.ts";
import { alice, bob, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

const left = (leaves: string, more: Partial<Member> = {}): Member => ({
  ...bob,
  standing: "suspended",
  leaves,
  ...more,
});
const snapshot = { managedObjects: new Map() };
const now = new Date("2026-06-15T23:59:59.999Z");

describe("the removal of who has left the list", () => {
  it("is told as many days before as a last day, the nearest first", () => {
    const members = [
      alice,
      left("2026-06-29"),
      left("2026-06-16", { name: "carol" }),
      left("2026-06-30", { name: "dan" }),
    ];
    const near = nearOf({ members, settings, snapshot, now }, "removal");
    assert.equal(textOf(near), "Removed soon: carol on 2026-06-16 (in 1 day), bob on 2026-06-29 (in 14 days)");
    assert.deepEqual(
      near.map((one) => one.code === "removal" && noticeText({ ...one, code: "removal" })),
      [
        "You are no longer in the list. Your environment is deleted with everything in it from 2026-06-16 on, in 1 day.",
        "You are no longer in the list. Your environment is deleted with everything in it from 2026-06-29 on, in 14 days.",
      ],
    );
  });

  it("is known with its time, and over on its day", () => {
    assert.deepEqual(comingOf({ members: [left("2026-06-18")], settings, snapshot, now }), [
      {
        finding: { code: "removal", member: "bob", facts: { day: "2026-06-18", days: 3 } },
        key: "removal 2026-06-18",
        at: new Date("2026-06-18T00:00:00Z"),
        step: 3,
        isForgotten: false,
        isForAdmins: true,
      },
    ]);
    const [over] = comingOf({ members: [left("2026-06-15")], settings, snapshot, now });
    assert.equal(over?.step, undefined);
  });
});
