import assert from "node:assert/strict";
import { memberRows } from "../../../../plan/rows/memberRows.ts";
import { sharedRows } from "../../../../plan/rows/sharedRows.ts";

const rows = [...sharedRows, ...memberRows];
/** Parts that are on a server of buckets, so that no row has them. */
const onServer = ["bucket/*", "bucket-user"];
const parts = [...rows.map(({ part }) => part), ...onServer];

const fits = (text: string, pattern: string) => new RegExp(`^${pattern.replace("*", "[^/]+")}$`).test(text);
const isKnown = (pattern: string) => parts.some((part) => fits(pattern, part) || fits(part, pattern));

/** Patterns that a row asks for, where all of them exist and where none does. */
function askedBy({ after }: (typeof rows)[number], vary: string): string[] {
  const asked: string[] = [];
  for (const exists of [true, false]) {
    after?.((...patterns) => {
      asked.push(...patterns);
      return exists ? [...patterns] : [];
    }, vary);
  }
  return asked;
}

describe("what a row comes after", () => {
  it("is named by the part of a row, so that a typing error leaves out no dependency", () => {
    const asked = rows.flatMap((row) => ["edit", "other"].flatMap((vary) => askedBy(row, vary)));
    assert.ok(asked.includes("quota") && asked.includes("starter/*"));
    assert.deepEqual(
      asked.filter((pattern) => !isKnown(pattern)),
      [],
    );
  });
});
