import { folded, table } from "../../common/table.ts";
import type { Report } from "../model.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { summaryOf } from "./summary.ts";

/**
 * Text for a terminal or a log.
 * @param width columns of the terminal; undefined for a pipe, where lines are not wrapped
 */
export function textOf(report: Report, width: number | undefined): string {
  const title = `${report.stack === undefined ? "" : `Stack ${report.stack}: `}${summaryOf(report)}`;
  return [...folded(title, width), ...sectionsOf(report).flatMap((section) => ["", ...sectionLines(section, width)])]
    .map(printable)
    .join("\n");
}

function sectionLines({ title, weight, intro, columns, rows }: Section, width: number | undefined): string[] {
  const loud = weight === "danger" ? `!! ${title.toUpperCase()}` : title.toUpperCase();
  const body =
    columns.length === 0
      ? rows.flatMap(([line = ""]) => folded(line, width))
      : table(
          [columns, ...rows].flatMap((cells, at) => lines(at === 0 ? cells.map((cell) => cell.toUpperCase()) : cells)),
          {
            width,
            wrapLast: true,
          },
        ).split("\n");
  return [loud, ...intro.flatMap((text) => folded(text, width)), ...body];
}

/** A terminal has room for three columns; cells of further ones go below the third. */
function lines(cells: readonly string[]): string[][] {
  const last = Math.min(cells.length, 3) - 1;
  const below = cells.slice(last).filter((text) => text !== "");
  const texts = below.length === 0 ? [""] : below.flatMap((text) => text.split("\n"));
  return texts.map((text, at) => [...cells.slice(0, last).map((cell) => (at === 0 ? cell : "")), text]);
}

/** A terminal would obey control characters in a name or a reason. */
function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
  return line.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}
