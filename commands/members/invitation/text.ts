import MarkdownIt, { type Token } from "markdown-it";

const markdownIt = new MarkdownIt({ html: false });
const width = 80;

/** Plain text from Markdown, with lines of at most 80 characters, except code and words that are longer. */
export function plainText(markdown: string): string {
  return `${blocks(markdownIt.parse(markdown, {}), width).join("\n\n")}\n`;
}

/** Texts of the blocks among tokens of one level. */
function blocks(tokens: readonly Token[], room: number): string[] {
  return parts(tokens).map(([first, ...inside]) => blockText(first, inside.slice(0, -1), room));
}

/** Tokens of each block: from where it opens to where it closes. */
function parts(tokens: readonly Token[]): [Token, ...Token[]][] {
  const found: [Token, ...Token[]][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) found.push([token]);
    else found.at(-1)?.push(token);
    depth += token.nesting;
  }
  return found;
}

function blockText(first: Token, inside: readonly Token[], room: number): string {
  switch (first.type) {
    case "heading_open": {
      const text = inside.map(inlineText).join("");
      return `${text}\n${(first.tag === "h1" ? "=" : "-").repeat(Math.min(room, [...text].length))}`;
    }
    case "paragraph_open":
      return wrapped(inside.map(inlineText).join(""), room);
    case "bullet_list_open":
    case "ordered_list_open": {
      const items = parts(inside).map(([, ...item]) => blocks(item.slice(0, -1), room - 3).join("\n"));
      return items
        .map((item, index) =>
          first.type === "bullet_list_open" ? indented(item, "- ") : indented(item, `${index + 1}. `),
        )
        .join("\n");
    }
    case "blockquote_open":
      return blocks(inside, room - 2)
        .join("\n\n")
        .replaceAll(/^(?=.)/gm, "| ");
    case "table_open":
      return tableText(inside, room);
    case "hr":
      return "-".repeat(room);
    case "inline":
      return wrapped(inlineText(first), room);
    default:
      return first.content.trimEnd();
  }
}

const indented = (text: string, mark: string) => mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`);

/** Columns are as wide as their longest cell; the last is wrapped. A row of empty headings is left out. */
function tableText(tokens: readonly Token[], room: number): string {
  const rows = parts(tokens)
    .flatMap(([, ...inside]) => parts(inside.slice(0, -1)))
    .map((row) => row.filter(({ type }) => type === "inline").map(inlineText))
    .filter((cells) => cells.some((cell) => cell !== ""));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  return rows
    .map((row) => {
      const before = row
        .slice(0, -1)
        .map((cell, column) => `${cell}${" ".repeat((widths[column] ?? 0) - [...cell].length)}  `);
      const mark = before.join("");
      return indented(wrapped(row.at(-1) ?? "", Math.max(20, room - mark.length)), mark).trimEnd();
    })
    .join("\n");
}

/** Text of inline content; the target of a link is beside its text if it differs. */
function inlineText({ children }: Token): string {
  let href = "";
  let label = "";
  let text = "";
  for (const child of children ?? []) {
    if (child.type === "link_open") {
      href = String(child.attrGet("href") ?? "");
      label = "";
      continue;
    }
    const piece = child.type === "link_close" ? (label === href ? "" : ` <${href}>`) : pieceOf(child);
    label += piece;
    text += piece;
  }
  return text;
}

function pieceOf({ type, content }: Token): string {
  if (type === "softbreak" || type === "hardbreak") return " ";
  // Without quotes, the end of a command would not show.
  return type === "code_inline" && content.includes(" ") ? `'${content}'` : content;
}

function wrapped(text: string, room: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
