import assert from "node:assert/strict";
import { fill } from "../../../../../commands/report/changes/bounded.ts";

const rows = (count: number, length = 10) => Array.from({ length: count }, () => length);

describe("the room of a comment", () => {
  it("is first of all for what is never cut", () => {
    assert.deepEqual(fill([rows(20), rows(100), rows(100)], 300, ["all", "half", "rest"]), [20, 8, 2]);
    assert.deepEqual(fill([rows(3), rows(27)], 300, ["half", "all"]), [3, 27]);
  });

  it("is the others' by an eighth, also where that just fits without them", () => {
    for (const count of [32, 33, 40]) {
      assert.deepEqual(fill([rows(100), rows(count)], 320, ["half", "all"]), [3, 29], String(count));
      assert.deepEqual(fill([rows(count), rows(100), rows(100)], 320, ["all", "half", "rest"]), [29, 3, 0]);
    }
  });

  it("is never exceeded, and a part ends at the first row that has no room", () => {
    assert.deepEqual(fill([[10, 500, 10], rows(100)], 100, ["rest", "rest"]), [1, 9]);
    assert.deepEqual(fill([[500, 1]], 100, ["half"]), [0]);
    assert.deepEqual(fill([rows(5)], -10, ["half"]), [0]);
  });
});
