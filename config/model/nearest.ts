import { distance } from "fastest-levenshtein";

/** Shorter ones stand in others by chance. */
const shortest = 4;

/** Whether words are made of the same parts, or one has the other in it: `nginx` is known as `ingress-nginx`. */
function isAkin(a: string, b: string): boolean {
  const parts = (word: string) => word.split(/\W/).sort().join();
  const [short = "", long = ""] = [a, b].sort((x, y) => x.length - y.length);
  return parts(a) === parts(b) || (short.length >= shortest && long.includes(short));
}

/** `; did you mean 'X'?` for the word that a misspelt one stands nearest to, or nothing when none is near. */
export function nearest(word: string, words: readonly string[]): string {
  const candidates = words
    .map((candidate) => ({ candidate, steps: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ candidate, steps }) => steps <= (candidate.length < 4 ? 1 : Math.max(2, Math.floor(candidate.length / 3))),
    )
    .sort((a, b) => a.steps - b.steps);
  const meant = candidates[0]?.candidate ?? words.find((each) => isAkin(word.toLowerCase(), each.toLowerCase()));
  return meant === undefined ? "" : `; did you mean '${meant}'?`;
}
