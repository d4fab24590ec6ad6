import type { Entry } from "./entries.ts";

/**
 * The sections with all words of a query, best first. Words are found by any part of them, as Japanese has no blanks.
 * It runs in browsers, where it has nothing around it.
 */
export function find(entries: readonly Entry[], query: string): Entry[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}.-]+/u)
    .filter((word) => word !== "");
  const weight = (text: string, word: string) =>
    Number(text.includes(word)) + Number(` ${text} `.includes(` ${word}`)) + Number(` ${text} `.includes(` ${word} `));
  const score = ({ title, heading, words: all }: Entry) =>
    words
      .map((word) => (heading === title ? 8 : 4) * weight(heading.toLowerCase(), word) + weight(all, word))
      .reduce((sum, each) => sum + each, 0);
  return entries
    .filter((entry) => words.length > 0 && words.every((word) => entry.words.includes(word)))
    .map((entry) => ({ entry, score: score(entry) }))
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}
