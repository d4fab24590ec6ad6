import { markdownTable } from "../../../config/reference/tables.ts";
import type { Results } from "../results.ts";
import { expectation } from "./expectation.ts";
import { circumstances, tables } from "./tables.ts";

/** What the benchmark writes into the page: what to expect, at its top, and the figures, at its end. */
export interface Written {
  readonly expectation: string;
  readonly tables: string;
}

/** Between these, the page is the benchmark's. */
const marks: Readonly<Record<keyof Written, readonly [string, string]>> = {
  expectation: ["<!-- bench: expect -->", "<!-- bench: expected -->"],
  tables: ["<!-- bench: begin -->", "<!-- bench: end -->"],
};

/** What was measured, in Markdown. What it was measured with is its last line. */
export function markdownOf(results: Results): Written {
  const parts = tables(results).map(
    ({ title, rows }) => `### ${title}\n\n${markdownTable(rows[0] ?? [], rows.slice(1))}`,
  );
  return { expectation: expectation(results), tables: [...parts, circumstances(results)].join("\n\n") };
}

/**
 * A page with other texts between its marks.
 * @throws Error if it has none
 */
export function pageWith(page: string, { expectation, tables }: Written): string {
  return between(between(page, marks.expectation, `\n${expectation}\n`), marks.tables, `\n\n${tables}\n\n`);
}

function between(page: string, [beginning, ending]: readonly [string, string], text: string): string {
  const [begin, end] = [page.indexOf(beginning), page.indexOf(ending)];
  if (begin < 0 || end < begin) {
    throw new Error(`docs/reference/performance.md has no '${beginning}' with '${ending}' below it`);
  }
  return `${page.slice(0, begin + beginning.length)}${text}${page.slice(end)}`;
}
