/** How a table meets the width of a terminal. */
export interface Layout {
  /** Columns of the terminal. Default: none, as for what is piped, where every cell is whole. */
  readonly width?: number | undefined;
  /** Which columns, counted from 0, may end in `…` where a line would be longer than that. Default: none. */
  readonly cut?: readonly number[];
  /** Whether the last column goes on below itself instead. Default: false. */
  readonly wrapLast?: boolean;
}

const gap = 2;
/** So much of a cell stays in any case. */
const leastCell = 6;
const leastRoom = 20;

/** Rows of cells as lines of text, the first row being the headings. */
export function table(
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, cut = [], wrapLast = false }: Layout = {},
): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  if (wrapLast) {
    const others = widths.slice(0, -1);
    const room = Math.max(width - others.reduce((sum, each) => sum + each + gap, 0), leastRoom);
    const lines = rows.flatMap((row) =>
      wrapped(row.at(-1) ?? "", room).map((text, at) => [
        ...others.map((_, i) => (at === 0 ? (row[i] ?? "") : "")),
        text,
      ]),
    );
    return joined(lines, widths, gap);
  }
  // Columns move together before any is cut.
  const space = lineWidth(widths, gap) > width ? 1 : gap;
  const fitting = narrowed(widths, cut, width, space);
  return joined(
    rows.map((row) => row.map((cell, column) => shortened(cell, fitting[column] ?? cell.length))),
    fitting,
    space,
  );
}

/** A line of text as lines that fit, each as far from the margin as the first. */
export function folded(text: string, width: number | undefined): string[] {
  const [, indent = ""] = /^(\s*)/.exec(text) ?? [];
  const room = Math.max((width ?? Number.POSITIVE_INFINITY) - indent.length, leastRoom);
  return wrapped(text.trim(), room).map((line) => indent + line);
}

function joined(rows: readonly (readonly string[])[], widths: readonly number[], space: number): string {
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" ".repeat(space)))
    .map((line) => line.trimEnd())
    .join("\n");
}

function lineWidth(widths: readonly number[], space: number): number {
  return widths.reduce((sum, each) => sum + each + space, -space);
}

/** Takes from the widest of the columns that may be cut, until a line fits or each has its least. */
function narrowed(widths: readonly number[], cut: readonly number[], width: number, space: number): number[] {
  const narrower = [...widths];
  for (let excess = lineWidth(widths, space) - width; excess > 0; excess--) {
    const widest = cut.reduce((a, b) => ((narrower[b] ?? 0) > (narrower[a] ?? 0) ? b : a), cut[0] ?? -1);
    const current = narrower[widest] ?? 0;
    if (current <= leastCell) {
      break;
    }
    narrower[widest] = current - 1;
  }
  return narrower;
}

function shortened(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
}

/** Breaks at spaces; a word longer than the room (a URL) stays whole, so that it can be copied. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
