import assert from "node:assert/strict";
import { mistakes } from "../../samples.ts";

const found = (raw: Record<string, unknown>) =>
  mistakes(raw).filter((line) => line.includes(" KiB, and the configuration"));
const listOf = (count: number, subject: string) =>
  Array.from({ length: count }, (_, index) => ({ member: `student-${index}`, type: "guest-user", subject }));
const why = (longest: number, all: number) =>
  `takes ${longest} KiB, and the configuration ${all} of the 120 that fit into the one environment variable in which ` +
  "Pulumi hands it over; ";

describe("the length of a stack's configuration", () => {
  it("refuses a configuration above what fits into one environment variable, with the way out", () => {
    const starter = { pages: { "index.md": "x".repeat(2048) } };
    assert.deepEqual(found({ starter, members: listOf(1500, "a@example.org") }), [
      `members: ${why(122, 125)}move the list to a file of its own, of any length, and set membersFile to that (docs/run/scale.md)`,
    ]);
    assert.deepEqual(found({ starter, members: listOf(1400, "a@example.org") }), []);
    assert.match(found({ members: listOf(800, "ü".repeat(50)) }).join(), /^members: takes 1\d\d KiB/);
  });

  it("says of a configuration that is too long that pages can move to a folder", () => {
    const starter = { pages: { "index.md": "x".repeat(130 * 1024) } };
    assert.deepEqual(mistakes({ members: [], starter }), [
      `starter: ${why(131, 131)}move the pages to files of their own, and set pagesFolder to their folder (docs/run/starter.md)`,
    ]);
  });
});
