import assert from "node:assert/strict";
import { selectorOf } from "../../../../config/resolve/members/selector.ts";
import { selectorsOf, selectorsOverNobody } from "../../../../plan/findings/selectors.ts";
import { configuration } from "../../samples.ts";
import { textOf } from "../planned.ts";

const { members } = configuration({
  members: [
    { member: "ada", type: "user", labels: { course: "cs101" } },
    { member: "bob", type: "user" },
  ],
});
const reported = (entry: Parameters<typeof selectorOf>[0]) =>
  textOf(selectorsOverNobody([{ place: "staff[0].over", selector: selectorOf(entry) }], members));

describe("the selectors of the settings", () => {
  it("are those of budgets and staff, by their places", () => {
    const over = { labels: { course: "cs101" } };
    const budgets = [
      { name: "cs101", over, maxCPUm: 5000 },
      { name: "all", maxCPUm: 5000 },
    ];
    const staff = [{ group: "tas", role: "view", over }];
    const { settings } = configuration({ budgets, staff, members: [] });
    assert.deepEqual(selectorsOf(settings), [
      { place: "budgets[0].over", selector: over },
      { place: "budgets[1].over", selector: { labels: {} } },
      { place: "staff[0].over", selector: over },
    ]);
    assert.deepEqual(selectorsOf(configuration({ members: [] }).settings), []);
  });
});

describe("a selector over nobody", () => {
  it("is named with the nearest label", () => {
    assert.equal(
      reported({ labels: { course: "cs1O1" } }),
      "staff[0].over selects no member; did you mean 'course=cs101'?",
    );
    assert.equal(
      reported({ labels: { corse: "cs101" } }),
      "staff[0].over selects no member; did you mean 'course=cs101'?",
    );
  });

  it("is named without one where none is near, or each label has its members", () => {
    const plain = "staff[0].over selects no member; correct it, or remove the entry";
    assert.equal(reported({ labels: { floor: "third" } }), plain);
    assert.equal(reported({ types: ["admin"], labels: { course: "cs101" } }), plain);
  });

  it("is not named where a member fits", () => {
    assert.equal(reported({ labels: { course: "cs101" } }), undefined);
    assert.equal(reported({}), undefined);
  });
});
