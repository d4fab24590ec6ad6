import assert from "node:assert/strict";
import { isWorthIt } from "../../../runs/checkpoints.ts";

describe("a run without checkpoints", () => {
  it("forgoes checkpoints where much is made or the state is large, or only changes are due", () => {
    for (const [makes, changes, knows, is] of [
      [0, 0, 9000, false],
      [9, 0, 100, false],
      [9, 0, 1000, true],
      [100, 0, 0, true],
      [0, 1, 10, true],
      [1, 1, 10, false],
    ] as const) {
      assert.equal(isWorthIt({ makes, changes, knows }), is, `${makes} ${changes} ${knows}`);
    }
  });
});
