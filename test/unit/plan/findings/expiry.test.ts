import assert from "node:assert/strict";
import { expiring } from "../../../../plan/findings/expiry.ts";
import { member } from "../../samples.ts";
import { textOf } from "../planned.ts";

const now = new Date("2026-06-15T23:59:59.999Z");
const until = (name: string, expires: string, more: object = {}) =>
  member({ member: name, type: "user", expires, ...more });

describe("expiry", () => {
  it("is told of two weeks ahead, the last day and today's among them, the nearest first", () => {
    const members = [until("bob", "2026-06-29"), until("carol", "2026-06-15"), until("dave", "2026-06-16")];
    assert.equal(
      textOf(expiring(members, now)),
      "Expires soon: carol on 2026-06-15 (today), dave on 2026-06-16 (in 1 day), bob on 2026-06-29 (in 14 days)",
    );
  });

  it("is not told of before that, nor of those who are out already or stay for ever", () => {
    const members = [
      until("bob", "2026-06-30"),
      until("carol", "2026-06-14"),
      until("dave", "2026-06-20", { suspended: true }),
      member({ member: "eve", type: "user" }),
    ];
    assert.equal(textOf(expiring(members, now)), undefined);
  });

  it("goes by the days of UTC, over the end of a month and a change of clocks", () => {
    assert.equal(
      textOf(expiring([until("bob", "2026-11-03")], new Date("2026-10-24T00:00:00Z"))),
      "Expires soon: bob on 2026-11-03 (in 10 days)",
    );
  });

  it("is not told of where midnight has passed since the configuration was read", () => {
    assert.equal(textOf(expiring([until("bob", "2026-06-15")], new Date("2026-06-16T00:00:00Z"))), undefined);
  });
});
