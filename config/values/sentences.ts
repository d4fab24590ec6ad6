const width = 100;

/** Names in lines that fit a terminal and a comment, each with the indent. */
export function nameLines(names: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const word = index === names.length - 1 ? name : `${name},`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(indent + word);
    }
  }
  return lines.join("\n");
}

/** `1 pod`, `2 pods`, `no pods`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count === 0 ? "no" : count} ${noun}s`;
}

/** The first texts, and the number of further ones. */
export function firstFew(texts: readonly string[], most: number): string {
  const rest = texts.length - most;
  return rest > 0 ? `${texts.slice(0, most).join(", ")} and ${rest} more` : texts.join(", ");
}

/** With its article, such as `an admin`. A `u` is taken for that of `user`. */
export const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;

/** Order of two names by code units, the same on every machine; for `sort`. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
