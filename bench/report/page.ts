import { markdownTable } from "../../tools/reference/settingsPage.ts";
import type { Results } from "../results.ts";
import { expectation } from "./expectation.ts";
import { circumstances, pageTables } from "./tables.ts";

/** Texts that the benchmark writes into the page: expected times at its top, and tables at its end. */
interface Written {
  readonly expectation: string;
  readonly tables: string;
}

/** Comments in the page that enclose the benchmark's texts. */
const marks: Readonly<Record<keyof Written, readonly [string, string]>> = {
  expectation: ["<!-- bench: expect -->", "<!-- bench: expected -->"],
  tables: ["<!-- bench: begin -->", "<!-- bench: end -->"],
};

/** The results in Markdown. The last line has the circumstances. */
export function markdownOf(results: Results): Written {
  const parts = pageTables(results).map(
    ({ title, rows }) => `### ${title}\n\n${markdownTable(rows[0] ?? [], rows.slice(1))}`,
  );
  return { expectation: expectation(results), tables: [...parts, circumstances(results)].join("\n\n") };
}

/**
 * The page with new texts between these comments.
 * @throws Error if the page lacks them
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
