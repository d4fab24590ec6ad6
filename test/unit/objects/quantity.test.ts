import assert from "node:assert/strict";
import { countQuantity, cpuQuantity, memoryQuantity } from "../../../objects/quantity.ts";

describe("quantity", () => {
  const cases: readonly [of: (amount: number) => string, what: string, written: Readonly<Record<number, string>>][] = [
    [
      cpuQuantity,
      "thousandths of a CPU",
      { 1: "1m", 500: "500m", 1000: "1", 1500: "1500m", 20000: "20", 1000000: "1k", 1500000: "1500" },
    ],
    [
      countQuantity,
      "pieces",
      { 0: "0", 999: "999", 1000: "1k", 1050: "1050", 10000: "10k", 1010000: "1010k", 10000000: "10M" },
    ],
    [memoryQuantity, "MiB", { 0: "0", 500: "500Mi", 1024: "1Gi", 1536: "1536Mi", 3145728: "3Ti" }],
  ];
  for (const [of, what, written] of cases) {
    it(`writes ${what} as the API server does`, () => {
      assert.deepEqual(
        Object.keys(written).map((amount) => of(Number(amount))),
        Object.values(written),
      );
    });
  }
  it("writes no unit above the largest", () => {
    assert.deepEqual([cpuQuantity(1e9), memoryQuantity(1024 ** 4 * 5)], ["1M", "5120Pi"]);
  });
});
