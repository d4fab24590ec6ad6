import { distance } from "fastest-levenshtein";

/** `; did you mean 'X'?` for the word that a misspelt one stands nearest to, or nothing when none is near. */
export function nearest(word: string, words: readonly string[]): string {
  const candidates = words
    .map((candidate) => ({ candidate, steps: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ candidate, steps }) => steps <= (candidate.length < 4 ? 1 : Math.max(2, Math.floor(candidate.length / 3))),
    )
    .sort((a, b) => a.steps - b.steps);
  return candidates[0] === undefined ? "" : `; did you mean '${candidates[0].candidate}'?`;
}
