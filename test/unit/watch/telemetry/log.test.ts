import assert from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { openLog, reportEnd } from "../../../../watch/telemetry/log.ts";
import { useFolder } from "../../testFolder.ts";
import { fakeLog } from "../fakes.ts";

describe("the watch's log", () => {
  const folder = useFolder();

  it("keeps the log's lines while the disk is full, and writes these once there is room", () => {
    const file = join(folder.path, "log");
    const fd = fs.openSync(file, "w");
    const actions = () =>
      fs
        .readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).action);
    try {
      const log = openLog("prod", "info", fd);
      log.info({ action: "started" });
      const full = mock.method(fs, "writeSync", () => {
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      });
      log.info({ action: "up started" });
      log.info({ action: "up ended" });
      full.mock.restore();
      assert.deepEqual(actions(), ["started"]);
      log.info({ action: "stopped" });
      assert.deepEqual(actions(), ["started", "up started", "up ended", "stopped"]);
    } finally {
      fs.closeSync(fd);
    }
  });
});

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
