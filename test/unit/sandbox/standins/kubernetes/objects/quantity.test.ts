import { equal } from "node:assert/strict";
import { formatQuantity } from "../../../../../../sandbox/standins/kubernetes/objects/quantity.ts";

describe("a quantity in canonical form", () => {
  const cases: [given: string | number, canonical: string][] = [
    ["500m", "500m"],
    ["1000m", "1"],
    ["0.1", "100m"],
    [0.5, "500m"],
    ["1.5Gi", "1536Mi"],
    ["2e3", "2e3"],
    ["-1500m", "-1500m"],
    ["0.5n", "1n"],
  ];
  for (const [given, canonical] of cases) {
    it(`${JSON.stringify(given)} is ${canonical}`, () => equal(formatQuantity(given), canonical));
  }

  for (const given of ["", "much", "1 Gi", "1Kb", "."]) {
    it(`${JSON.stringify(given)} is none and stays as it is`, () => equal(formatQuantity(given), given));
  }
});
