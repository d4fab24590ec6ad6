import { type Block, blocksOf } from "./markdown.ts";
import { linesOf, svg, textAt, widthOf } from "./svg.ts";

const width = 760;
const left = 20;
const fontSize = 13;
const lineHeight = 19;
const gap = 12;

const style = `
text { font: ${fontSize}px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.b { font-weight: 600 } .h { font-size: 17px } .grey { fill: #59636e }
.page { fill: #fff; stroke: #d1d9e0 } .bar { fill: #f6f8fa; stroke: #d1d9e0 } .line { stroke: #d1d9e0 }
.IMPORTANT { fill: #8250df } .CAUTION { fill: #cf222e }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .grey { fill: #9198a1 }
.page { fill: #0d1117; stroke: #3d444d } .bar { fill: #151b23; stroke: #3d444d } .line { stroke: #3d444d }
.IMPORTANT { fill: #ab7df8 } .CAUTION { fill: #f85149 }
}
`;

/** Sections that the picture leaves out for its size: it names them. */
const leftOut = /^(Joining|Routes|Put back)/;

/** A piece of the picture and how far it reaches down. */
interface Drawn {
  readonly parts: readonly string[];
  readonly bottom: number;
}

/** A report as a comment in a pull request shows it. */
export function commentPicture(markdown: string): string {
  const [heading, ...blocks] = blocksOf(markdown);
  const title = heading?.kind === "heading" ? heading.text : "";
  const shown = sectionsOf(blocks).filter(([first]) => !isLeftOut(first));
  const hidden = [
    ...blocks.flatMap((block) => (block.kind === "heading" && isLeftOut(block) ? [block.text] : [])),
    ...[...markdown.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, summary = ""]) => summary),
  ];
  const start: Drawn = { parts: [textAt(left, 66, title, "b h")], bottom: 66 };
  const drawn = shown.flat().reduce((so, block) => after(so, draw(block, left, so.bottom + gap)), start);
  const end = drawn.bottom + gap + lineHeight;
  const height = end + 18;
  const body = [
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    `<path class="bar" d="M0.5 38.5 V6.5 A6 6 0 0 1 6.5 0.5 H${width - 6.5} A6 6 0 0 1 ${width - 0.5} 6.5 V38.5 Z"/>`,
    textAt(left, 25, "github-actions", "b", " commented on a pull request that edits the list of members", "grey"),
    ...drawn.parts,
    textAt(left, end, `Further down: ${hidden.join(", ")}`, "grey"),
  ];
  return svg({ title: `A comment in a pull request. ${title}`, width, height, style, body });
}

const isLeftOut = (block: Block | undefined) => block?.kind === "heading" && leftOut.test(block.text);

/** Each heading with what is below it; what comes before the first is a section too. */
function sectionsOf(blocks: readonly Block[]): Block[][] {
  const sections: Block[][] = [[]];
  for (const block of blocks) {
    if (block.kind === "heading") sections.push([block]);
    else sections.at(-1)?.push(block);
  }
  return sections;
}

const after = (so: Drawn, next: Drawn): Drawn => ({ parts: [...so.parts, ...next.parts], bottom: next.bottom });

function draw(block: Block, x: number, top: number): Drawn {
  switch (block.kind) {
    case "heading":
      return paragraph(block.text, block.text.length, x, top);
    case "paragraph":
      return paragraph(block.text, block.boldLetters, x, top);
    case "alert": {
      const name = `${block.mood.slice(0, 1)}${block.mood.slice(1).toLowerCase()}`;
      const start: Drawn = { parts: [textAt(x + 14, top + 14, name, `b ${block.mood}`)], bottom: top + 14 };
      const inside = block.blocks.reduce((so, each) => after(so, draw(each, x + 14, so.bottom + 6)), start);
      const bar = `<rect class="${block.mood}" x="${x}" y="${top}" width="3" height="${inside.bottom - top + 4}"/>`;
      return { parts: [bar, ...inside.parts], bottom: inside.bottom + 4 };
    }
    case "table":
      return drawTable(block.rows, x, top);
  }
}

function paragraph(text: string, boldLetters: number, x: number, top: number): Drawn {
  const lines = linesOf(text, width - left - x, fontSize * 1.12);
  let bold = boldLetters;
  const parts = lines.map((line, index) => {
    const drawn = textAt(x, top + 14 + index * lineHeight, line.slice(0, bold), "b", line.slice(bold));
    bold = Math.max(0, bold - line.length - 1);
    return drawn;
  });
  return { parts, bottom: top + lines.length * lineHeight };
}

/** Columns are as wide as what is in them; the last has the rest, and its lines are broken. */
function drawTable(rows: readonly (readonly (readonly string[])[])[], x: number, top: number): Drawn {
  const widths = (rows[0] ?? []).map(
    (_, column) => Math.max(...rows.flatMap((row) => (row[column] ?? []).map((line) => widthOf(line, fontSize)))) + 20,
  );
  const starts = widths.map((_, column) => x + widths.slice(0, column).reduce((sum, each) => sum + each, 0));
  const parts: string[] = [];
  let y = top;
  for (const [at, row] of rows.entries()) {
    const cells = row.map((lines, column) =>
      column < row.length - 1
        ? lines
        : lines.flatMap((line) => linesOf(line, width - left - (starts[column] ?? x), fontSize)),
    );
    for (const [column, lines] of cells.entries()) {
      for (const [index, line] of lines.entries()) {
        parts.push(textAt(starts[column] ?? x, y + 16 + index * lineHeight, line, at === 0 ? "b" : ""));
      }
    }
    y += Math.max(...cells.map((lines) => lines.length)) * lineHeight + 5;
    parts.push(`<path class="line" d="M${x} ${y} H${width - left}"/>`);
  }
  return { parts, bottom: y };
}
