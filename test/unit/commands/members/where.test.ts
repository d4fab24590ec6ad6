import assert from "node:assert/strict";
import { InvalidArgumentError } from "commander";
import { Problem } from "../../../../commands/common/problem.ts";
import { type Described, selected, where, whereArguments } from "../../../../commands/members/where.ts";
import type { Selector } from "../../../../config/values/selector.ts";

const members: readonly (Described & { readonly name: string })[] = [
  { name: "ada", type: "admin", labels: { course: "cs101" } },
  { name: "bob", type: "user", labels: { course: "cs101", "example.org/team": "red" } },
  { name: "cyd", type: "guest-user", labels: { course: "cs102" } },
  { name: "dan", type: "user", labels: {} },
  { name: "eve", type: undefined, labels: {} },
];

const selector = (...texts: readonly string[]) =>
  texts.reduce<Selector | undefined>((before, text) => where(text, before), undefined) ?? { labels: {} };
const namesOf = (...texts: readonly string[]) =>
  selected(members, (member) => member, selector(...texts)).map(({ name }) => name);

describe("--where", () => {
  it("chooses any of the types, with all of the labels", () => {
    assert.deepEqual(namesOf("labels.course=cs101"), ["ada", "bob"]);
    assert.deepEqual(namesOf("labels.example.org/team=red"), ["bob"]);
    assert.deepEqual(namesOf("type=user", "type=guest-user"), ["bob", "cyd", "dan"]);
    assert.deepEqual(namesOf("type=user", "labels.course=cs101", "labels.course=cs101"), ["bob"]);
  });

  it("takes nothing but a type or a label with a value", () => {
    const refused = ["course=cs101", "labels.=cs101", "labels.course", "labels.course=", "member=bob", "", "type="];
    for (const text of refused) {
      assert.throws(() => where(text), /InvalidArgument|It takes type=TYPE or labels\.KEY=VALUE/, text);
    }
    assert.throws(
      () => selector("labels.course=cs101", "labels.course=cs102"),
      new InvalidArgumentError("A member has one value of labels.course, and it is to be cs101 already."),
    );
  });

  it("is typed again as it was", () => {
    assert.equal(
      whereArguments(selector("labels.course=cs101", "type=user", "type=admin")),
      "--where type=user --where type=admin --where labels.course=cs101",
    );
  });

  const refusal = (...texts: readonly string[]) => {
    try {
      return namesOf(...texts);
    } catch (error) {
      assert.ok(error instanceof Problem);
      return [error.message, error.why];
    }
  };

  it("names what there is if it fits nobody", () => {
    assert.deepEqual(refusal("labels.course=cs10"), [
      "There is no member with labels.course=cs10.",
      "labels.course is cs101, cs102; did you mean 'cs101'?",
    ]);
    assert.deepEqual(refusal("labels.corse=cs101"), [
      "There is no member with labels.corse=cs101.",
      "No member has the label 'corse'; did you mean 'course'? The labels are course, example.org/team.",
    ]);
    assert.deepEqual(refusal("type=tutor"), [
      "There is no member with type=tutor.",
      "type is admin, guest-user, user.",
    ]);
    assert.deepEqual(refusal("type=user", "type=admin", "labels.course=cs102"), [
      "There is no member with type=user or admin and labels.course=cs102.",
      "type=user or admin alone fits 3 members.\nlabels.course=cs102 alone fits 1 member.",
    ]);
  });

  it("says that a list without labels has none", () => {
    const of = (list: readonly Described[]) => () => selected(list, (each) => each, selector("labels.course=cs101"));
    assert.throws(of([{ type: "user", labels: {} }]), (error: Problem) => error.why === "No member has labels.");
    assert.throws(of([]), (error: Problem) => error.why === "There are no members.");
  });
});
