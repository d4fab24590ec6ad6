import assert from "node:assert/strict";
import {
  entryDifference,
  entryDifferenceJson,
  entryDifferencesText,
} from "../../../../../commands/members/edit/differences.ts";

const bob = { member: "bob", type: "user", maxCPUm: 500, labels: { course: "cs101" } };

describe("a difference between entries", () => {
  const all = [
    entryDifference("zoe", undefined, { member: "zoe", type: "user", labels: { course: "cs101" }, groups: ["a"] }),
    entryDifference("bob", bob, { ...bob, maxCPUm: 800, labels: { course: "cs102", team: "a, b" }, suspended: true }),
    entryDifference("bob", { ...bob, suspended: true }, bob),
    entryDifference("carol", bob, undefined),
    entryDifference("eve", {}, { subject: "a\u202eb\n" }),
  ].filter((one) => one !== undefined);

  it("a difference is a line with each field, before and after", () => {
    assert.equal(
      entryDifferencesText(all),
      `add     zoe    type user, labels.course cs101, groups ["a"]
change  bob    maxCPUm 500 → 800, labels.course cs101 → cs102, labels.team "a, b", suspended true
change  bob    suspended true taken out
remove  carol
change  eve    subject "a\\u202eb\\n"`,
    );
  });

  it("a difference is data for a program", () => {
    assert.deepEqual(all.slice(2, 4).map(entryDifferenceJson), [
      { member: "bob", action: "change", fields: [{ field: "suspended", before: true, after: null }] },
      { member: "carol", action: "remove", fields: [] },
    ]);
  });

  it("a difference is none where nothing differs, whatever the order of keys", () => {
    assert.equal(
      entryDifference("bob", bob, { labels: { course: "cs101" }, maxCPUm: 500, type: "user", member: "bob" }),
      undefined,
    );
    assert.equal(entryDifference("bob", undefined, undefined), undefined);
  });
});
