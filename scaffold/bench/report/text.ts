import { table } from "../../../commands/common/table.ts";
import type { Results } from "../results.ts";
import { circumstances, tables } from "./tables.ts";

/** The results as text for a terminal. */
export function textOf(results: Results): string {
  const parts = tables(results).map(({ title, rows }) => `${title}\n\n${table(rows)}`);
  return [...parts, circumstances(results)].join("\n\n");
}
