import assert from "node:assert/strict";
import { quantityValue } from "../../../../cluster/kinds/quantity.ts";

describe("a quantity's value", () => {
  for (const [quantity, value] of [
    ["0", 0],
    ["250m", 0.25],
    ["512Mi", 512 * 1024 ** 2],
    ["1.5Gi", 1.5 * 1024 ** 3],
    ["128974848", 128974848],
    ["1k", 1000],
    ["1E3", 1000],
    ["1E", 1e18],
    ["-1", -1],
    [".5", 0.5],
  ] as const) {
    it(`reads ${value} from the quantity ${quantity}`, () => {
      assert.equal(quantityValue(quantity), value);
    });
  }

  for (const text of ["", "1 Gi", "1gi", "many", "1e", "Mi"]) {
    it(`reads no quantity from ${JSON.stringify(text)}`, () => {
      assert.equal(quantityValue(text), undefined);
    });
  }
});
