import assert from "node:assert/strict";
import { budgetSum, sharesText } from "../../../../../config/model/members/budgets.ts";

const amounts = [500, 0, 2000, Number.NaN, 500].map((amount, at) => ({ name: `m${at}`, amount }));

describe("the sum of a budget's figure", () => {
  it("lists the biggest shares of a budget's sum first, and leaves out zero and unknown ones", () => {
    assert.deepEqual(budgetSum("maxCPUm", 4000, amounts), {
      figure: "maxCPUm",
      most: 4000,
      sum: 3000,
      shares: [
        { name: "m2", amount: 2000 },
        { name: "m0", amount: 500 },
        { name: "m4", amount: 500 },
      ],
    });
  });

  it("names five shares of a budget's sum, and says how many there are besides", () => {
    const shares = [...amounts, ...amounts].flatMap(({ name }, at) => (at < 7 ? [{ name, amount: 7 - at }] : []));
    assert.equal(sharesText(shares), "m0 7, m1 6, m2 5, m3 4, m4 3 and 2 more");
    assert.equal(sharesText(shares.slice(0, 5)), "m0 7, m1 6, m2 5, m3 4, m4 3");
    assert.equal(sharesText([]), "");
  });
});
