import { markdownTable } from "../../../config/reference/tables.ts";
import type { Results } from "../results.ts";
import { circumstances, tables } from "./tables.ts";

/** Between these, the page is the benchmark's. */
const marks = ["<!-- bench: begin -->", "<!-- bench: end -->"] as const;

/** What was measured, in Markdown. */
export function markdownOf(results: Results): string {
  const parts = tables(results).map(
    ({ title, rows }) => `### ${title}\n\n${markdownTable(rows[0] ?? [], rows.slice(1))}`,
  );
  return [circumstances(results), ...parts].join("\n\n");
}

/**
 * A page with another text between its marks.
 * @throws Error if it has none
 */
export function pageWith(page: string, text: string): string {
  const [begin, end] = marks.map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new Error(`docs/performance.md has no '${marks[0]}' with '${marks[1]}' below it`);
  }
  return `${page.slice(0, begin + marks[0].length)}\n\n${text}\n\n${page.slice(end)}`;
}
