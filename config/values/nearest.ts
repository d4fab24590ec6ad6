import { distance } from "fastest-levenshtein";

/** Shorter words occur in others by chance. */
const shortest = 4;

/** Whether words consist of the same parts, or one contains the other, as `ingress-nginx` contains `nginx`. */
function isAkin(a: string, b: string): boolean {
  const parts = (word: string) => word.split(/\W/).sort().join();
  const [short = "", long = ""] = [a, b].sort((x, y) => x.length - y.length);
  return parts(a) === parts(b) || (short.length >= shortest && long.includes(short));
}

/** `; did you mean 'X'?` for the nearest of the words; empty if none is near. */
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
