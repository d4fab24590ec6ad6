import assert from "node:assert/strict";
import fc from "fast-check";
import { memberName, newNames } from "../../../../../commands/members/import/rosterPlan.ts";
import { memberSchema } from "../../../../../config/member/member.ts";

const none = () => false;
const names = (texts: readonly string[], taken: readonly string[] = []) =>
  newNames(
    texts.map((text, at) => ({ text, key: `${at}@x.org` })),
    (name) => taken.includes(name),
    (name) => name.startsWith("kube-"),
  );

describe("a new member's name", () => {
  for (const [text, name] of [
    ["Ada Lovelace", "ada-lovelace"],
    ["José Ñúñez", "jose-nunez"],
    ["Иван Петров", "ivan-petrov"],
    ["たろう", "tarou"],
    ["O'Brien", "obrien"],
    ["ada.l_2", "ada-l-2"],
    ["2026-ada", "m-2026-ada"],
  ] as const) {
    it(`a new member's name is made of letters in any script: ${text}`, () => {
      assert.equal(memberName(text, "k"), name);
    });
  }

  it("a new member's name is a hash of the key where it has Han characters, or no letter at all", () => {
    assert.equal(memberName("山田 太郎", "Taro@x.org"), "m-0aab2774");
    assert.equal(memberName("!?", "taro@x.org"), "m-0aab2774");
    assert.notEqual(memberName("山田 太郎", "jiro@x.org"), "m-0aab2774");
  });

  it("ends in a hash of the key where another has it, whatever the order", () => {
    const [first, second, third] = names(["Ada", "ada", "Bob"]);
    assert.match(`${first} ${second} ${third}`, /^ada-[0-9a-f]{6} ada-[0-9a-f]{6} bob$/);
    const people = [
      { key: "0@x.org", text: "Ada" },
      { key: "1@x.org", text: "ada" },
    ];
    assert.deepEqual(newNames(people.toReversed(), none, none), [second, first]);
    assert.deepEqual(names(["Ada"], ["ada"]), [first]);
  });

  it("a new member's name is one that the schema takes, and nobody else's, for any text", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 80 }), fc.string({ unit: "binary", maxLength: 80 }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const made = names(texts, ["a", "b"]);
        assert.equal(new Set([...made, "a", "b"]).size, made.length + 2);
        for (const name of made) {
          assert.ok(memberSchema.shape.member.safeParse(name).success, name);
        }
      }),
    );
  });
});
