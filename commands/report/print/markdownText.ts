/**
 * Escapes text for GitHub's Markdown. A mention or a reference would notify people or link to something unrelated: a
 * zero-width space after its sign prevents that.
 * @see https://github.github.com/gfm/#backslash-escapes
 */
export function escaped(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>~$&]/g, "\\$&")
      .replace(/(?<!\w)[@＠](?=\w)|#(?=\w)|\bGH-(?=\d)/gi, "$&&#8203;")
      // A backslash has another meaning in tables than in text.
      .replaceAll("|", "&#124;")
      // An address in a name that a member has chosen, such as a PersistentVolumeClaim's, must not become a link.
      .replace(/\bwww(?=\.)/gi, "$&&#8203;")
      .replace(/\r\n?|\n/g, "<br>")
  );
}

/** Matches an address made of plain URL characters only, which becomes a link. */
const address = /(?<!\S)(https:\/\/[-\w.]+(?:\/[-\w./]*)?)(?!\S)/;

/** A cell of a table, on one line. */
export function cell(text: string): string {
  return text
    .split(address)
    .map((part, at) => (at % 2 === 1 ? `<${part}>` : escaped(part)))
    .join("");
}

export const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;

export const headings = (columns: readonly string[]) => [
  `| ${columns.join(" | ")} |`,
  `|${columns.map(() => "---").join("|")}|`,
];

/** A fence longer than any in the lines. */
export function fenceFor(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length));
  const longest = runs.reduce((most, each) => Math.max(most, each), 0);
  return "`".repeat(Math.max(3, longest + 1));
}
