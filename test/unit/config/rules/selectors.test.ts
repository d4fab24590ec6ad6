import assert from "node:assert/strict";
import { checkedEntry } from "../../../../config/member/member.ts";
import type { Candidate } from "../../../../config/rule.ts";
import { pathText, valueText } from "../../../../config/values/mistakes.ts";
import { selectorMistakes } from "../../../../config/values/selector.ts";
import { mistakes } from "../../samples.ts";

const candidates = ["ada", "bob"].map((member, index): Candidate => {
  const { valid, wrong } = checkedEntry({ member, type: "user" }, undefined, []);
  return { index, entry: valid, wrong };
});
const typeNames = ["admin", "user"];
const found = (selector: Parameters<typeof selectorMistakes>[1], names: readonly string[] | undefined = typeNames) =>
  selectorMistakes(["staff", 0, "over"], selector, { candidates, typeNames: names }).map(
    ({ path, message }) => `${pathText(path)}: ${message(valueText)}`,
  );

describe("a selector of the settings", () => {
  it("demands types and members that are there of a selector", () => {
    assert.deepEqual(found({ types: ["user"], members: ["bob"], labels: { course: "nobody" } }), []);
    assert.deepEqual(found(undefined), []);
    assert.deepEqual(found({ types: ["user", "usr"], members: ["bobb", "ada"] }), [
      `staff[0].over.types[1]: "usr" is no member type; did you mean 'user'?`,
      `staff[0].over.members[0]: "bobb" is no member of the list; did you mean 'bob'?`,
    ]);
  });
});

describe("a member's labels", () => {
  it("refuses encrypted labels: commands would not know whom a selector fits", () => {
    const members = [{ member: "ada", type: "user", labels: { course: "cs101" } }];
    const isSecret = (path: readonly PropertyKey[]) => pathText(path).startsWith("members[0].labels");
    assert.deepEqual(mistakes({ members }, { isSecret }), [
      "members[0].labels: can't be encrypted; set it without --secret (member 'ada')",
    ]);
  });
});
