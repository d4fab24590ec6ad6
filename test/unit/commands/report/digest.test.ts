import assert from "node:assert/strict";
import { readDigest } from "../../../../commands/report/digest.ts";

describe("what Pulumi prints of a preview", () => {
  it("reads a preview without any step or word", () => {
    assert.deepEqual(readDigest('{"steps": null, "duration": 3}'), { steps: [], diagnostics: [] });
  });

  it("refuses a preview that is cut off or has another shape", () => {
    for (const text of ["", '{\n    "steps": [\n  {"op"', '{"steps": [{"op": 7}]}']) {
      assert.throws(() => readDigest(text), /has printed no preview that this version can read/);
    }
  });
});
