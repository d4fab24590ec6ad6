import assert from "node:assert/strict";
import { fill } from "../../../../commands/report/bounded.ts";

const rows = (count: number, length = 10) => Array.from({ length: count }, () => length);

describe("the room of a comment", () => {
  it("is half the worst's, and shared by all after that", () => {
    assert.deepEqual(fill([rows(100), rows(100), rows(100)], 300, [true, false, false]), [20, 5, 5]);
  });

  it("is for the others where the worst needs less", () => {
    assert.deepEqual(fill([rows(3), rows(100), rows(2)], 300, [true, false, false]), [3, 25, 2]);
  });

  it("is never exceeded, and a part ends at the first row that has no room", () => {
    assert.deepEqual(fill([[10, 500, 10], rows(100)], 100, [false, false]), [1, 9]);
    assert.deepEqual(fill([[500, 1]], 100, [true]), [0]);
    assert.deepEqual(fill([rows(5)], -10, [true]), [0]);
  });
});
