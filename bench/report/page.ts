import { markdownTable } from "../../tools/reference/settingsPage.ts";
import type { Results } from "../results.ts";
import { circumstances, pageTables } from "./tables.ts";

/** Tables of the results, with goals, in Markdown. The last line has the circumstances. */
export function tablesOf(results: Results): string {
  const parts = pageTables(results).map(
    ({ title, rows }) => `#### ${title}\n\n${markdownTable(rows[0] ?? [], rows.slice(1))}`,
  );
  return [...parts, circumstances(results)].join("\n\n");
}

const [beginning, ending] = ["<!-- bench: begin -->", "<!-- bench: end -->"] as const;

/**
 * A page with a new text between the benchmark's comments.
 * @throws Error if the page lacks them
 */
export function pageWith(page: string, text: string): string {
  const [begin, end] = [page.indexOf(beginning), page.indexOf(ending)];
  if (begin < 0 || end < begin) {
    throw new Error(`The page has no '${beginning}' with '${ending}' below it`);
  }
  return `${page.slice(0, begin + beginning.length)}\n\n${text}\n\n${page.slice(end)}`;
}
