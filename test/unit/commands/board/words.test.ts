import assert from "node:assert/strict";
import { wordsIn } from "../../../../commands/board/parts/texts.ts";

/** Words of a language by their place, but for those of functions. */
const wordsOf = (value: unknown, place = ""): [string, string][] =>
  typeof value === "object"
    ? Object.entries(value ?? {}).flatMap(([key, each]) => wordsOf(each, `${place}.${key}`))
    : [[place, String(value)]];

describe("the words of the board", () => {
  it("words are translated, except for names", () => {
    const japanese = new Map(wordsOf(wordsIn.ja));
    const same = wordsOf(wordsIn.en).filter(([place, word]) => japanese.get(place) === word);
    assert.deepEqual(same, [[".resources.cpu", "CPU"]]);
  });
});
