import assert from "node:assert/strict";
import { mistakeLines, pathText, valueText } from "../../../../config/values/mistakes.ts";

describe("a mistake", () => {
  it("tells a mistake in a line with file, line, path and message, as far as they are known", () => {
    assert.deepEqual(
      mistakeLines([
        { file: "members.yaml", line: 12, path: "members[3].maxCPUm", message: "50 is below …" },
        { file: "members.yaml", path: "members", message: "is missing" },
        { file: "members.yaml", line: 1, path: "", message: "is no YAML" },
        { path: "stack", message: "is wrong" },
      ]),
      [
        "members.yaml:12: members[3].maxCPUm: 50 is below …",
        "members.yaml: members: is missing",
        "members.yaml:1: is no YAML",
        "stack: is wrong",
      ],
    );
  });

  it("shows what moves a terminal's cursor, turns the direction of writing, or can't be seen", () => {
    assert.deepEqual(
      mistakeLines([
        {
          path: "a\u007f\u0085\u009b\u200b",
          message: '"Zo\u00eb \u674e\u202e\u2028\u2066\ufeff\u00a0\u3000" is wrong',
        },
      ]),
      ['a\\u007f\\u0085\\u009b\\u200b: "Zo\u00eb \u674e\\u202e\\u2028\\u2066\\ufeff\\u00a0\u3000" is wrong'],
    );
  });

  it("tells the first hundred mistakes, and counts the others", () => {
    const mistakes = Array.from({ length: 1234 }, (_, at) => ({ path: `members[${at}]`, message: "is wrong" }));
    assert.equal(mistakeLines(mistakes.slice(0, 100)).length, 100);
    assert.deepEqual(mistakeLines(mistakes).slice(99), ["members[99]: is wrong", "and 1134 more"]);
  });

  it("shows paths as people write them, and values short and on one line", () => {
    assert.equal(pathText(["members", 3, "route", "path"]), "members[3].route.path");
    assert.equal(pathText(["members", 3, "a\nb"]), 'members[3]."a\\nb"');
    assert.deepEqual(["-----BEGIN X-----\nabc", { k: "a -----BEGIN X----- abc", l: 1 }].map(valueText), [
      '"-----BEGIN X-----..."',
      '{"k":"a -----BEGIN X-----...","l":1}',
    ]);
    assert.deepEqual(["a\nb", 5, Number.NaN, { a: [1] }, "x".repeat(70)].map(valueText), [
      '"a\\nb"',
      "5",
      "NaN",
      '{"a":[1]}',
      `"${"x".repeat(56)}...`,
    ]);
  });
});
