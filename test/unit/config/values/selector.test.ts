import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { isSelected, selectorOf } from "../../../../config/values/selector.ts";
import { configuration } from "../../samples.ts";

const { members } = configuration({
  members: [
    { member: "ada", type: "admin", labels: { course: "cs101", term: "autumn" } },
    { member: "bob", type: "user", labels: { course: "cs101" }, home: "view" },
    { member: "eve", type: "user" },
  ],
});
const selected = (entry?: Parameters<typeof selectorOf>[0]) =>
  members.filter((member: Member) => isSelected(member, selectorOf(entry))).map(({ name }) => name);

describe("a selector", () => {
  it("selects members with all labels of a selector", () => {
    assert.deepEqual(selected({ labels: { course: "cs101" } }), ["ada", "bob"]);
    assert.deepEqual(selected({ labels: { course: "cs101", term: "autumn" } }), ["ada"]);
    assert.deepEqual(selected({ labels: { course: "cs10" } }), []);
    // A key of every object is no label.
    assert.deepEqual(selected({ labels: { constructor: "x" } }), []);
  });

  it("selects only members that fit each key of a selector", () => {
    assert.deepEqual(selected({ types: ["user"], labels: { course: "cs101" }, members: ["ada", "bob"] }), ["bob"]);
  });
});
