import assert from "node:assert/strict";
import { sideBySide } from "../../../../commands/up/sideBySide.ts";

const gibibyte = 2 ** 30;

describe("shards that are run side by side", () => {
  it("runs as many shards side by side as there is memory for, and one at least", () => {
    assert.deepEqual(
      [0.5, 4, 24].map((free) => sideBySide(1000, 8, free * gibibyte)),
      [1, 2, 16],
    );
    assert.ok(sideBySide(1000, 8) >= 1);
  });

  it("runs fewer shards side by side where each is larger", () => {
    assert.deepEqual(
      [100, 1000, 8000].map((members) => sideBySide(members, 8, 24 * gibibyte)),
      [16, 16, 3],
    );
  });
});
