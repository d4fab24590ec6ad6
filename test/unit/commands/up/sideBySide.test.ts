import assert from "node:assert/strict";
import { sideBySide } from "../../../../commands/up/sideBySide.ts";

describe("shards that are run side by side", () => {
  it("are as many as there is memory for, and one at least", () => {
    const gibibyte = 2 ** 30;
    assert.deepEqual(
      [0.5, 4, 24].map((free) => sideBySide(free * gibibyte)),
      [1, 2, 15],
    );
    assert.ok(sideBySide() >= 1);
  });
});
