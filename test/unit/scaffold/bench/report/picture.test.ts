import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { pictureOf } from "../../../../../scaffold/bench/report/picture.ts";
import { results, row, size } from "../figures.ts";

/** The points of the lines in a picture, from left to right. */
function lines(svg: string): number[][][] {
  return [...svg.matchAll(/<polyline [^>]*points="([^"]*)"/g)].map((match) =>
    (match[1] ?? "").split(" ").map((point) => point.split(",").map(Number)),
  );
}

/** Heights of the texts beside the lines. */
const names = (svg: string) =>
  [...svg.matchAll(/<text class="c\d" x="\d+" y="([\d.]+)">/g)].map((match) => Number(match[1]));

describe("the benchmark's picture", () => {
  it("draws what grows as its members do along the diagonal, and dashes what is kubectl's", () => {
    const svg = pictureOf(
      results(
        size(10, row("create", "kubecamp", 1), row("create", "kubectl", 0.1)),
        size(100, row("create", "kubecamp", 10), row("create", "kubectl", 1)),
        size(1000, row("create", "kubecamp", 100), row("create", "kubectl", 10)),
      ),
    );
    const [quick = [], kubectl = []] = lines(svg);
    const steps = quick
      .slice(1)
      .map(([x = 0, y = 0], index) => [x - (quick[index]?.[0] ?? 0), y - (quick[index]?.[1] ?? 0)]);
    const [first, second] = steps;
    assert.deepEqual(first, second);
    assert.ok((first?.[0] ?? 0) > 0 && (first?.[1] ?? 0) < 0, "to the right, and upwards");
    // A tenth of the time is as far below as a tenth of the members is to the left.
    assert.equal(kubectl[2]?.[1], quick[1]?.[1]);
    assert.equal(svg.match(/stroke-dasharray/g)?.length, 1);
    // Lines of one chart that are drawn alike differ in colour.
    const looks = [...svg.matchAll(/<g|<polyline class="(l\d)"( stroke-dasharray)?/g)].map((match) => match[0]);
    assert.deepEqual(looks, [
      "<g",
      '<polyline class="l0"',
      '<polyline class="l0" stroke-dasharray',
      "<g",
      '<polyline class="l0"',
      '<polyline class="l1"',
    ]);
  });

  it("keeps the names apart of lines that end in one point", () => {
    const rows = [
      row("create", "kubecamp", 5),
      row("unchanged preview", "pulumi", 5),
      row("one member added", "pulumi", 5),
    ];
    const [a = 0, b = 0, c = 0] = names(pictureOf(results(size(10, ...rows))));
    assert.ok(b - a >= 14 && c - b >= 14, `${a} ${b} ${c}`);
  });

  it("draws no line of what was not measured, and no picture out of its bounds", () => {
    const svg = pictureOf(results(size(10, row("create", "kubecamp", 5))));
    // One of time, and of memory one each of program and CLI.
    assert.equal(lines(svg).length, 3);
    assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
    assert.doesNotMatch(pictureOf(results(size(10))), /NaN|Infinity|undefined|polyline \w/);
  });
});
