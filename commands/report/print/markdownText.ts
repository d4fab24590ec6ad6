/**
 * Texts as GitHub's Markdown shows them, whatever is in them. A mention or a reference would notify people and link to what
 * is not meant: a space of no width behind its sign ends it.
 * @see https://github.github.com/gfm/#backslash-escapes
 */
export function escaped(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>~$&]/g, "\\$&")
      .replace(/(?<!\w)[@＠](?=\w)|#(?=\w)|\bGH-(?=\d)/gi, "$&&#8203;")
      // Not by a backslash, which a table takes otherwise than a text.
      .replaceAll("|", "&#124;")
      // An address that a member has put into a name, such as a PersistentVolumeClaim's, is no link.
      .replace(/\bwww(?=\.)/gi, "$&&#8203;")
      .replace(/\r\n?|\n/g, "<br>")
  );
}

/** An address, if there is nothing in it but what addresses are made of, is a link. */
const address = /(?<!\S)(https:\/\/[-\w.]+(?:\/[-\w./]*)?)(?!\S)/;

/** A cell of a table, which is one line. */
export function cell(text: string): string {
  return text
    .split(address)
    .map((part, at) => (at % 2 === 1 ? `<${part}>` : escaped(part)))
    .join("");
}

export const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;

/** The head of a table. */
export const headings = (columns: readonly string[]) => [
  `| ${columns.join(" | ")} |`,
  `|${columns.map(() => "---").join("|")}|`,
];

/** A fence that nothing in these lines can end. */
export function fenceFor(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length));
  const longest = runs.reduce((most, each) => Math.max(most, each), 0);
  return "`".repeat(Math.max(3, longest + 1));
}
