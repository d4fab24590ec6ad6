import assert from "node:assert/strict";
import { reportEnd } from "../../../../watch/telemetry/upLog.ts";
import { fakeLog } from "../fakes.ts";

describe("the log of an up", () => {
  it("logs of an up who was archived or is kept without, and what Pulumi could not read", () => {
    const { lines, log } = fakeLog();
    const due = { archived: ["ana"], failed: [{ member: "bob", why: "no bucket" }], left: ["leo"] };
    const job = { kind: "full", target: undefined, refresh: true, why: "interval" } as const;
    reportEnd(log, job, { outcome: "succeeded", changes: [], due, notRefreshed: "mallory's" }, 2);
    assert.deepEqual(
      lines.map(({ level, action, member, members, reason }) => [level, action, member ?? members, reason]),
      [
        ["warn", "not refreshed", undefined, "mallory's"],
        ["info", "archived", "ana", undefined],
        ["error", "not archived", "bob", "no bucket"],
        ["info", "not archived yet", ["leo"], undefined],
        ["info", "up ended", undefined, undefined],
      ],
    );
  });
});
