import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { expectation, expectedOf } from "../../../../../scaffold/bench/report/expectation.ts";
import { results, row, size } from "../figures.ts";

const ten = size(10, row("create", "kubecamp", 4));
const hundred = size(100, row("create", "kubecamp", 13), row("one limit changed", "kubecamp", 2.4));
const thousand = size(1000, row("create", "kubecamp", 103));

describe("what the page says to expect", () => {
  it("is what was measured where it was, and else lies on a line between or beyond", () => {
    const sizes = [ten, hundred, thousand];
    assert.deepEqual(expectedOf(100, sizes), { members: 100, seconds: 13, source: "measured" });
    assert.deepEqual(expectedOf(30, sizes), { members: 30, seconds: 6, source: "interpolated" });
    assert.deepEqual(expectedOf(3000, sizes), { members: 3000, seconds: 303, source: "extrapolated" });
  });

  it("is, beyond what was measured over shards, so many times that", () => {
    const split = { ...thousand, sharded: { count: 8, rows: [row("create", "kubecamp", 90)] } };
    const expected = { members: 3000, seconds: 270, source: "extrapolated", shards: 24 };
    assert.deepEqual(expectedOf(3000, [ten, split]), expected);
  });

  it("is nothing where one figure alone would have to tell it, or none below", () => {
    assert.equal(expectedOf(30, [ten]), undefined);
    assert.equal(expectedOf(30, [hundred, thousand]), undefined);
    assert.equal(expectedOf(30, [size(10)]), undefined);
  });

  it("is told in a few lines, each figure with where it is from, and with what it was measured", () => {
    assert.equal(
      expectation(results(ten, hundred)),
      [
        "A first `kubecamp up`, before routes open: a class of 30: 6 s (interpolated); a school of 300: 33 s (extrapolated); " +
          "3,000 members: 5 min (extrapolated).",
        "Measured with 10, 100 members, on 2 CPUs that also ran the cluster (Kubernetes plugin: stand-in; language host: official).",
        "Later runs, among 100 members: one limit: 2 s.",
      ].join("\n"),
    );
    assert.equal(expectation(results(size(10))), "There are no figures yet.");
  });
});
