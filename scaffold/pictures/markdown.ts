/** A part of a report in Markdown, as far as a report has them. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string; readonly boldLetters: number }
  | { readonly kind: "alert"; readonly mood: string; readonly blocks: readonly Block[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly string[])[])[] };

/** The blocks of a report, without what can't be seen or is folded away. */
export function blocksOf(markdown: string): Block[] {
  return markdown
    .replaceAll(/<!--.*?-->\n|<details>[\s\S]*?<\/details>/g, "")
    .trim()
    .split(/\n{2,}/)
    .map(blockOf);
}

function blockOf(text: string): Block {
  if (text.startsWith("> [!")) {
    const [mood = "", ...rest] = text.replaceAll(/^> ?/gm, "").split("\n");
    return { kind: "alert", mood: mood.slice(2, -1), blocks: blocksOf(rest.join("\n")) };
  }
  if (text.startsWith("|")) return { kind: "table", rows: rowsOf(text) };
  if (text.startsWith("#")) return { kind: "heading", text: plain(text.replace(/^#+ /, "")) };
  // Only the beginning of a report's paragraph is bold.
  const [, bold = ""] = /^\*\*(.*?)\*\*/.exec(text) ?? [];
  return { kind: "paragraph", text: plain(text.replaceAll("\n", " ")), boldLetters: bold.length };
}

/** Rows of cells of lines; the row of dashes below the headings is none. */
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^\|[-|]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.split("<br>").map(plain)),
    );

const plain = (text: string) =>
  text
    .trim()
    .replaceAll("**", "")
    .replaceAll(/<(https?:[^>]*)>/g, "$1")
    .replaceAll(/\\(.)/g, "$1");
