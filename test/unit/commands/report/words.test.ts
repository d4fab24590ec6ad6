import assert from "node:assert/strict";
import { differenceText, joinerPath, joinerText } from "../../../../commands/report/words.ts";

const joiner = { member: "bob", type: "user", subjects: ["oidc:bob"], quota: ["CPU 500m"], notes: [], url: undefined };
const pending = [{ name: "bob", text: "no Service" }];

describe("what is said of somebody who joins", () => {
  it("is whom the environment is opened to, and what it holds", () => {
    assert.equal(joinerText(joiner), "opened to oidc:bob; CPU 500m");
    const groups = Array.from({ length: 8 }, (_, index) => `group g${index}`);
    const other = { ...joiner, subjects: groups, quota: undefined, notes: ["last day 2099-01-31"] };
    assert.equal(
      joinerText(other),
      "opened to group g0, group g1, group g2, group g3, group g4 and 3 more; no quota; last day 2099-01-31",
    );
    const suspended = { ...joiner, subjects: [], notes: ["suspended"] };
    assert.equal(joinerText(suspended), "opened to nobody yet; CPU 500m; suspended");
  });

  it("is the address, or why it is not open, or that there is none", () => {
    assert.equal(joinerPath({ ...joiner, url: "https://a.test/bob/" }, { pending }), "https://a.test/bob/");
    assert.equal(joinerPath(joiner, { pending }), "pending: no Service");
    assert.equal(joinerPath(joiner, { pending: [] }), "none");
  });
});

describe("a difference", () => {
  it("is what was and will be, or what of a list comes and goes", () => {
    assert.equal(differenceText({ what: "CPU", from: "1 CPU" }), "CPU 1 CPU → none");
    assert.equal(differenceText({ what: "images", added: ["a", "b"], removed: ["c"] }), "images + a, + b, − c");
    assert.equal(
      differenceText({ what: "Secret data.x", from: "(secret)", to: "(secret)" }),
      "Secret data.x changes, which is not shown",
    );
  });
});
