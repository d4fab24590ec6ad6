import assert from "node:assert/strict";
import { wordsIn } from "../../../../commands/board/words/languages.ts";

/** All words of a language by their place; those of functions for some arguments. */
function wordsOf(value: unknown, place = ""): [string, string][] {
  if (typeof value === "string") return [[place, value]];
  if (typeof value === "function") {
    const calls: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
      ".title": [[undefined], ["dev"]],
      ".turn": [
        ["asleep", "x"],
        ["awake", "x"],
      ],
      ".starter": [
        ["once", 1, 2],
        ["kept", 1, 1],
      ],
      ".changes": ["create", "update", "delete", "replace"].map((operation) => [operation, 1]),
    };
    const some = calls[place] ?? [[1], [2]];
    return some.map((args) => [`${place}(${args})`, String(value(...args))]);
  }
  return Object.entries(value as object).flatMap(([key, each]) => wordsOf(each, `${place}.${key}`));
}

describe("the words of the board", () => {
  const [en, ja] = [wordsOf(wordsIn.en), wordsOf(wordsIn.ja)];

  it("are all there in both languages", () => {
    assert.deepEqual(
      ja.map(([place]) => place),
      en.map(([place]) => place),
    );
    assert.ok(en.length > 80);
    for (const [place, word] of [...en, ...ja]) {
      assert.match(word, /^\S/, place);
      assert.doesNotMatch(word, /undefined|NaN|\[object/, place);
    }
  });

  it("are translated, except for names", () => {
    const same = en.filter(([place, word]) => ja.some(([at, other]) => at === place && other === word));
    assert.deepEqual(same, [[".resources.cpu", "CPU"]]);
    assert.deepEqual(
      en.filter(([, word]) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(word)),
      [],
    );
  });
});
