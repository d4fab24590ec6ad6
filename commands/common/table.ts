interface Layout {
  /** Columns of the terminal. Default: unlimited, as for a pipe, with every cell whole. */
  readonly width?: number | undefined;
  /** Columns, counted from 0, that may end in `…` to fit the width. Default: none. */
  readonly cut?: readonly number[];
  readonly wrapLast?: boolean;
}

const gap = 2;
const leastCell = 6;
const leastRoom = 20;

export function table(
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, cut = [], wrapLast = false }: Layout = {},
): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  if (wrapLast) {
    const others = widths.slice(0, -1);
    const columns = Math.max(width - others.reduce((sum, each) => sum + each + gap, 0), leastRoom);
    const lines = rows.flatMap((row) =>
      wrapped(row.at(-1) ?? "", columns).map((text, at) => [
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

export function folded(text: string, width: number | undefined): string[] {
  const [, indent = ""] = /^(\s*)/.exec(text) ?? [];
  const columns = Math.max((width ?? Number.POSITIVE_INFINITY) - indent.length, leastRoom);
  return wrapped(text.trim(), columns).map((line) => indent + line);
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

/** Cuts the widest of the permitted columns until a line fits or each has its minimum. */
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

/** Breaks at spaces; a longer word (a URL) stays whole, so that it can be copied. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
