import assert from "node:assert/strict";
import { reportEnd } from "../../../../watch/telemetry/upLog.ts";
import { fakeLog } from "../fakes.ts";

describe("the log of an up", () => {
  it("says who was archived before their removal, and who is kept without", () => {
    const { lines, log } = fakeLog();
    const due = { archived: ["ana"], failed: [{ member: "bob", why: "no bucket" }], left: ["leo"] };
    const job = { kind: "full", target: undefined, refresh: true, why: "day" } as const;
    reportEnd(log, job, { outcome: "succeeded", changes: [], due }, 2);
    assert.deepEqual(
      lines.map(({ level, action, member, members, reason }) => [level, action, member ?? members, reason]),
      [
        ["info", "archived", "ana", undefined],
        ["error", "not archived", "bob", "no bucket"],
        ["info", "not archived yet", ["leo"], undefined],
        ["info", "up ended", undefined, undefined],
      ],
    );
  });

  it("warns of what Pulumi could not read, and says that it went on", () => {
    const { lines, log } = fakeLog();
    const job = { kind: "full", target: undefined, refresh: true, why: "day" } as const;
    reportEnd(log, job, { outcome: "succeeded", changes: [], notRefreshed: "mallory's" }, 2);
    assert.deepEqual(
      lines.map(({ level, action, reason }) => [level, action, reason]),
      [
        ["warn", "not refreshed", "mallory's"],
        ["info", "up ended", undefined],
      ],
    );
  });
});
