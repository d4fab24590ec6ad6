import { isDeepStrictEqual } from "node:util";
import type { Results, Row, SizeResults } from "./results.ts";

/**
 * Merges the results of several runs; the later one wins for the same measurement.
 * @throws Error if there are none, or they are of different plugins, versions or machines
 */
export function merged(all: readonly Results[]): Results {
  const last = all.at(-1);
  if (last === undefined) {
    throw new Error("there is nothing to take results from");
  }
  for (const each of all) {
    for (const key of ["plugins", "versions", "machine"] as const) {
      if (!isDeepStrictEqual(each[key], last[key])) {
        throw new Error(`the results are of different ${key}: measure all with the same`);
      }
    }
  }
  const bySize = Map.groupBy(
    all.flatMap(({ sizes }) => sizes),
    ({ members }) => members,
  );
  const sizes = [...bySize.values()].map((same) => same.reduce(joined));
  return { ...last, sizes: sizes.sort((a, b) => a.members - b.members) };
}

function joined(earlier: SizeResults, later: SizeResults): SizeResults {
  const { distant } = earlier;
  return {
    ...earlier,
    ...later,
    rows: joinedRows(earlier.rows, later.rows),
    ...(distant && later.distant
      ? { distant: { ...later.distant, rows: joinedRows(distant.rows, later.distant.rows) } }
      : {}),
  };
}

function joinedRows(earlier: readonly Row[], later: readonly Row[]): Row[] {
  const isNew = (row: Row) => !later.some(({ operation, tool }) => operation === row.operation && tool === row.tool);
  return [...earlier.filter(isNew), ...later];
}
