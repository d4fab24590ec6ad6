import assert from "node:assert/strict";
import { archiveDue } from "../../../../commands/archive/due.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import { member, settings } from "../../samples.ts";

const due = (name: string): Member => ({ ...member({ member: name, type: "user" }), isUnarchived: true });
const members = [due("ana"), member({ member: "bob", type: "user" }), due("kay"), due("leo")];
const why = "Stack 'dev' has no archive: set offboarding.archive (docs/run/archive.md).";
const failed = (...names: readonly string[]) => names.map((name) => ({ member: name, why }));
const parts = { signal: new AbortController().signal, notify: () => undefined };

describe("archiving those whose day has come", () => {
  it("tries each of them, and tells why it failed", async () => {
    assert.deepEqual(await archiveDue({ settings, members }, parts), {
      archived: [],
      failed: failed("ana", "kay", "leo"),
      left: [],
    });
  });

  it("begins with nobody more once it has taken long, and next with those who did not fail before", async () => {
    let tried = 0;
    const first = await archiveDue({ settings, members }, { ...parts, isOver: () => tried++ >= 1 });
    assert.deepEqual(first, { archived: [], failed: failed("ana"), left: ["kay", "leo"] });
    const next = await archiveDue({ settings, members }, { ...parts, tryLast: new Set(["ana"]) });
    assert.deepEqual(next, { archived: [], failed: failed("kay", "leo", "ana"), left: [] });
  });
});
