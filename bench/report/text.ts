import { table } from "../../commands/table.ts";
import type { Results } from "../results.ts";
import { cells, headings } from "./cells.ts";

/** What was measured, for a terminal. */
export function textOf({ sizes }: Results): string {
  return sizes
    .map((size) => {
      const title = `${size.members} members, ${size.objects} objects, ${size.resources} resources in Pulumi's state`;
      return `${title}\n\n${table([headings, ...cells(size)])}`;
    })
    .join("\n\n");
}
