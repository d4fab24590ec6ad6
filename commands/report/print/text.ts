import { printable } from "../../../config/values/mistakes.ts";
import { folded, table } from "../../common/table.ts";
import type { Report } from "../model.ts";
import { type ReportSection, sectionsOf } from "./sections.ts";
import { summaryOf } from "./summary.ts";

export function textOf(report: Report, width: number | undefined): string {
  const title = `Stack ${report.stack}: ${summaryOf(report)}`;
  return [...folded(title, width), ...sectionsOf(report).flatMap((section) => ["", ...sectionLines(section, width)])]
    .map(printable)
    .join("\n");
}

function sectionLines({ title, weight, intro, columns, rows }: ReportSection, width: number | undefined): string[] {
  const loud = weight === "danger" ? `!! ${title.toUpperCase()}` : title.toUpperCase();
  const body =
    columns.length === 0
      ? rows.flatMap(([line = ""]) => folded(line, width))
      : table([heading(columns), ...rows.flatMap(lines)], { width, wrapLast: true }).split("\n");
  return [loud, ...intro.flatMap((text) => folded(text, width)), ...body];
}

/** Columns that a terminal has room for. */
const room = 3;

const heading = (columns: readonly string[]): string[] =>
  [...columns.slice(0, room - 1), ...(columns.length < room ? [] : [columns.slice(room - 1).join(", ")])].map((cell) =>
    cell.toUpperCase(),
  );

/** Cells of further columns go below the last that there is room for. */
function lines(cells: readonly string[]): string[][] {
  const last = Math.min(cells.length, room) - 1;
  const below = cells.slice(last).filter((text) => text !== "");
  const texts = below.length === 0 ? [""] : below.flatMap((text) => text.split("\n"));
  return texts.map((text, at) => [...cells.slice(0, last).map((cell) => (at === 0 ? cell : "")), text]);
}
