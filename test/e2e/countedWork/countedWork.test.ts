import assert from "node:assert/strict";
import { join } from "node:path";
import { execa } from "execa";

/** Sorting grows a little faster than the number of items. */
const slack = 1.1;

/** Smallest number of members of each task: a multiple of three, since they have three types. */
const works = {
  "read and check their list": 300,
  "tell a mistake in each of them": 60,
  "see what is not as it should be": 30,
  "read the cluster, and say what is to be said": 15,
  "report what a preview says": 30,
};

describe("what one more member costs is the same where there are ten times as many", () => {
  let counted: Record<string, [number, number, number]> = {};

  before(async () => {
    const flags = ["--no-opt", "--no-maglev"];
    const program = join(import.meta.dirname, "count.ts");
    counted = JSON.parse((await execa(process.execPath, [...flags, program, JSON.stringify(works)])).stdout);
  });

  for (const [name, size] of Object.entries(works)) {
    it(`to ${name}`, () => {
      const [once = 0, twice = 0, tenfold = 0] = counted[name] ?? [];
      const [early, late] = [(twice - once) / size, (tenfold - twice) / (8 * size)];
      assert.ok(early > 1, `counted ${once} and ${twice} for ${size} and ${2 * size} members`);
      assert.ok(late < early * slack, `${early} for each of ${2 * size} members, ${late} for each of ${10 * size}`);
    });
  }
});
