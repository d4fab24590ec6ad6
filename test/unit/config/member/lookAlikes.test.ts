import assert from "node:assert/strict";
import { hiddenIn, lookAlikes } from "../../../../config/member/lookAlikes.ts";

const someone = (name: string, username: string, ...groups: string[]) => ({ name, username, groups });

describe("a subject or group that looks like another", () => {
  for (const [name, why] of [
    ["\u0430lice@example.org", "has U+0430, which only look like ASCII"],
    ["oidc:\u0441\u043e\u0441\u043e", "has U+0441, U+043E, which only look like ASCII"],
    ["\u0430\u0440\u0440\u04cf\u0435", "has U+0430, U+0440, U+04CF, U+0435, which only look like ASCII"],
    ["\u0251l\u0131ce", "has U+0251, U+0131, which only look like ASCII"],
    ["\uff41lice", "has U+FF41, which only look like ASCII"],
    ["alice\u3164", "has U+3164, which can't be seen or looks like a blank"],
    ["class\u00a0a", "has U+00A0, which can't be seen or looks like a blank"],
    ["\u0416lice", "mixes scripts: U+0416"],
    ["\u03a9\u0416", "mixes scripts: U+03A9, U+0416"],
    ["\u0561lice", "mixes scripts: U+0561"],
  ] as const) {
    it(`warns of ${JSON.stringify(name)} as a name that looks like another`, () => assert.equal(hiddenIn(name), why));
  }

  for (const name of [
    "alice@example.org",
    "José",
    "Ирина",
    "Иван Grey",
    "group Физика",
    "иван@example.org",
    "group oidc:Ирина",
    "佐藤 Aya",
    "クラスA",
    "학생 a",
    "class a",
    "Ελένη",
    "👩‍🏫".slice(0, 2),
  ]) {
    it(`sees no look-alike in ${name}`, () => assert.equal(hiddenIn(name), undefined));
  }

  it("warns of two addresses that differ in capitals alone", () => {
    assert.deepEqual(lookAlikes([someone("ada", "oidc:Ada@x.org"), someone("ada2", "oidc:ada@x.org")]), [
      "subject 'oidc:ada@x.org' of ada2 looks like 'oidc:Ada@x.org' of ada",
    ]);
  });

  it("tells who has several environments, since a copied line would be one", () => {
    assert.deepEqual(
      lookAlikes([someone("ada", "oidc:ada"), someone("bob", "oidc:bob"), someone("thesis", "oidc:ada")]),
      ["oidc:ada has 2: ada, thesis"],
    );
  });

  it("warns of two names that look alike, and of each that hides something", () => {
    assert.deepEqual(
      lookAlikes([
        someone("alice", "oidc:alice", "oidc:class-a", "oidc:class-a1"),
        someone("al", "oidc:a1ice", "oidc:class-a"),
        someone("eve", "oidc:\u0430lice", "oidc:class-al"),
        someone("bob", "oidc:bob", "oidc:bob"),
      ]),
      [
        "subject 'oidc:\u0430lice' of eve has U+0430, which only look like ASCII",
        "subject 'oidc:a1ice' of al looks like 'oidc:alice' of alice",
        "subject 'oidc:\u0430lice' of eve looks like 'oidc:alice' of alice",
        "group 'oidc:class-al' of eve looks like 'oidc:class-a1' of alice",
      ],
    );
  });
});
