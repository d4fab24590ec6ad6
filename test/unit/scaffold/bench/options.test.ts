import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { milliseconds, numbers, shards, skipped, without } from "../../../../scaffold/bench/options.ts";

describe("the benchmark's options", () => {
  it("are numbers and words, with commas between where there may be several", () => {
    assert.deepEqual(numbers("10, 100"), [10, 100]);
    assert.equal(milliseconds("0"), 0);
    assert.equal(shards("8"), 8);
    assert.deepEqual(skipped("open routes,destroy"), ["open routes", "destroy"]);
    assert.deepEqual(without("helm,quick"), ["helm", "quick"]);
  });

  it("are refused with what they could have been", () => {
    assert.throws(() => numbers("ten"), /'ten' is no number of members/);
    assert.throws(() => numbers("0"), /'0' is no number of members/);
    assert.throws(() => milliseconds("-1"), /'-1' is no delay/);
    assert.throws(() => milliseconds("1001"), /'1001' is no delay/);
    assert.throws(() => shards("0"), /'0' is no number of shards/);
    assert.throws(() => skipped("create"), /'create' is none of open routes, /);
    assert.throws(() => without("kubectl"), /'kubectl' is none of pulumi, quick, kubecampQuick, helm\./);
  });
});
