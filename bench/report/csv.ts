import { operations, type Results, type Row, toolNames, tools } from "../results.ts";
import { partCells, partHeadings } from "./cells.ts";

const headings = [...["members", "shards", "ms away", "operation", "by", "wall s"], ...partHeadings];

/** Circumstances of some rows: over how many stacks, 1 for one list, and how many milliseconds away the cluster is. */
interface Circumstances {
  readonly members: number;
  readonly shards: number;
  readonly away: number;
}

/**
 * Cost of each operation by each tool, as comma-separated values with a line of headings.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function csvOf({ sizes }: Results): string {
  const lines = sizes.flatMap(({ members, rows, distant, sharded }) => [
    ...linesOf(rows, { members, shards: 1, away: 0 }),
    ...(distant === undefined ? [] : linesOf(distant.rows, { members, shards: 1, away: distant.roundTrip })),
    ...(sharded === undefined ? [] : linesOf(sharded.rows, { members, shards: sharded.count, away: 0 })),
  ]);
  return `${[headings, ...lines].map((line) => line.map(field).join(",")).join("\n")}\n`;
}

const linesOf = (rows: readonly Row[], { members, shards, away }: Circumstances) =>
  operations.flatMap((operation) =>
    tools.flatMap((tool) =>
      rows
        .filter((row) => row.operation === operation && row.tool === tool)
        .map(({ cost }) => [
          ...[members, shards, away].map(String),
          operation,
          toolNames[tool],
          cost.seconds.toFixed(1),
          ...partCells(cost),
        ]),
    ),
  );

/** No cell has a quote or a line break. */
const field = (cell: string) => (cell.includes(",") ? `"${cell}"` : cell);
