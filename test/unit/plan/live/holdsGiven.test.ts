import assert from "node:assert/strict";
import { holdsGiven } from "../../../../plan/live/difference.ts";

describe("a live object and somebody's manifest", () => {
  const cases: [string, unknown, unknown, boolean][] = [
    ["a field that the API server fills in", { a: 1, b: 2 }, { a: 1 }, true],
    ["another value", { a: 1 }, { a: 2 }, false],
    ["a missing field", {}, { a: "x" }, false],
    ["a quantity in its shortest form", { cpu: "1" }, { cpu: "1000m" }, true],
    ["a quantity given as a number", { cpu: "1" }, { cpu: 1 }, true],
    ["another quantity", { cpu: "2" }, { cpu: "1000m" }, false],
    ["an empty text that the API server leaves out", [{ name: "X" }], [{ name: "X", value: "" }], true],
    ["an empty map that the API server leaves out", {}, { nodeSelector: {}, command: null }, true],
    ["a further entry of a list", [1, 2], [1], false],
    ["a lost entry of a list", [], [1], false],
  ];
  for (const [what, live, declared, expected] of cases) {
    it(`finds that object and manifest ${expected ? "agree" : "differ"} with ${what}`, () => {
      assert.equal(holdsGiven(live, declared), expected);
    });
  }
});
