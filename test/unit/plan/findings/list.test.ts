import assert from "node:assert/strict";
import { selectorOf } from "../../../../config/values/selector.ts";
import {
  inGrace,
  runningAnyImage,
  selectorsOf,
  selectorsOverNobody,
  unarchived,
  unsplitList,
} from "../../../../plan/findings/list.ts";
import { alice, bob, carol, configuration, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

describe("who has left the list", () => {
  it("tells of leavers in every run with the day of their removal, the next first", () => {
    const members = [{ ...carol, leaves: "2026-07-15" }, alice, { ...bob, leaves: "2026-06-16" }];
    assert.equal(
      textOf(inGrace(members)),
      "No longer in the list, and suspended until a run deletes everything of theirs on the day or later: " +
        "bob (2026-06-16), carol (2026-07-15). To undo it, put the entry back before that; to delete at once: docs/run/offboarding.md",
    );
    assert.equal(textOf(inGrace([alice])), undefined);
  });

  it("tells of leavers kept without an archive after their day, and the command for one", () => {
    const members = [
      { ...carol, leaves: "2026-06-14", isUnarchived: true as const },
      { ...bob, leaves: "2026-06-16" },
    ];
    assert.equal(
      textOf(unarchived(members, { ...settings, shards: { family: "prod", count: 2 } })),
      "No longer in the list, and kept after their day, because no archive has what is there now: carol. " +
        "'kubecamp up' and the watch archive and delete them; to see why it fails: " +
        "kubecamp members archive carol --stack prod",
    );
    assert.match(textOf(inGrace(members)) ?? "", /: bob \(2026-06-16\)\./);
  });
});

const reported = (raw: object, ...entries: readonly object[]) => {
  const members = entries.map((entry, index) => ({ member: `m-${index}`, type: "user", ...entry }));
  return textOf(runningAnyImage(configuration({ ...raw, members }).members));
};

describe("a stack without a list of images", () => {
  it("says in one line who may run any image, first names first, with the way out", () => {
    assert.equal(
      reported({}, {}, { type: "guest-user" }, { images: ["nginx"] }, { type: "admin" }, {}),
      "images: m-0, m-1, m-3 and 1 more may run any image of any registry, also private ones that nodes have the " +
        `credentials for; list the allowed images (docs/reference/images.md), or allow any with images: ["*"]`,
    );
  });

  it("says nothing where all have a list, may run nothing, or are said to run any image", () => {
    assert.equal(reported({ images: ["nginx"] }, {}, {}), undefined);
    assert.equal(reported({ images: ["*"] }, {}, {}), undefined);
    assert.equal(reported({}, { images: [] }, { home: "view" }), undefined);
    assert.equal(reported({}), undefined);
  });
});

describe("a long list in one stack", () => {
  const said = (count: number, shards?: { family: string; count: number }) =>
    textOf(unsplitList(Array(count).fill(bob), { ...settings, ...(shards && { shards }) }));

  it("proposes to split a long list, with what that saves", () => {
    assert.equal(
      said(1000),
      "1000 members are in one stack, and a full run takes about 5.1 GiB of memory; split over 8 shards, one takes 1.1 GiB: " +
        "set kubecamp:shards to 8, then 'kubecamp shards files' (docs/run/shards.md).",
    );
    assert.match(said(300) ?? "", /split over 3 shards/);
  });

  it("proposes no split of a list that is short, or split", () => {
    assert.equal(said(299), undefined);
    assert.equal(said(1000, { family: "prod", count: 8 }), undefined);
  });
});

const { members } = configuration({
  members: [
    { member: "ada", type: "user", labels: { course: "cs101" } },
    { member: "bob", type: "user" },
  ],
});
const selected = (entry: Parameters<typeof selectorOf>[0]) =>
  textOf(selectorsOverNobody([{ place: "staff[0].over", selector: selectorOf(entry) }], members));

describe("the selectors of the settings", () => {
  it("finds the selectors of budgets and staff, by their places", () => {
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
  it("names a selector over nobody with the nearest label", () => {
    for (const labels of [{ course: "cs1O1" }, { corse: "cs101" }]) {
      assert.equal(selected({ labels }), "staff[0].over selects no member; did you mean 'course=cs101'?");
    }
  });

  it("names a selector over nobody without a label where none is near, or each has members", () => {
    const plain = "staff[0].over selects no member; correct it, or remove the entry";
    assert.equal(selected({ labels: { floor: "third" } }), plain);
    assert.equal(selected({ types: ["admin"], labels: { course: "cs101" } }), plain);
  });

  it("names no selector where a member fits", () => {
    assert.equal(selected({ labels: { course: "cs101" } }), undefined);
    assert.equal(selected({}), undefined);
  });
});
