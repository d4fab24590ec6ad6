import assert from "node:assert/strict";
import { countQuantity, cpuQuantity, memoryQuantity } from "../../../../plan/objects/quantity.ts";

describe("quantity", () => {
  for (const [millicores, quantity] of [
    [1, "1m"],
    [500, "500m"],
    [1000, "1"],
    [1500, "1500m"],
    [20000, "20"],
    [1_000_000, "1k"],
    [1_500_000, "1500"],
    [1_000_000_000, "1M"],
  ] as const) {
    it(`writes ${millicores} thousandths of a CPU as ${quantity}`, () => {
      assert.equal(cpuQuantity(millicores), quantity);
    });
  }
  for (const [pieces, quantity] of [
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1050, "1050"],
    [10_000, "10k"],
    [1_010_000, "1010k"],
    [10_000_000, "10M"],
  ] as const) {
    it(`writes ${pieces} pieces as ${quantity}`, () => {
      assert.equal(countQuantity(pieces), quantity);
    });
  }
  for (const [mebibytes, quantity] of [
    [0, "0"],
    [500, "500Mi"],
    [1024, "1Gi"],
    [1536, "1536Mi"],
    [1024 * 1024 * 3, "3Ti"],
    [1024 ** 4 * 5, "5120Pi"],
  ] as const) {
    it(`writes ${mebibytes} MiB as ${quantity}`, () => {
      assert.equal(memoryQuantity(mebibytes), quantity);
    });
  }
});
