/** A part of a text to replace; start and end are the same for an insertion. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Start and end of a part of it whose comments belong to what stays. Default: none. */
  readonly staying?: readonly [number, number];
}

/** Replaces parts that don't overlap. Insertions at one place stay in their order; new lines end as the text's do. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: own } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(at, start), own.replaceAll("\n", newline));
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)].join("");
}
