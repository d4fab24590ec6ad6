import { type Part, parts } from "../measure/parts.ts";
import { costOf, operations, type Row, type SizeResults, toolNames, tools } from "../results.ts";

/** Columns of a table of what one number of members cost: seconds, seconds of CPU, and MiB at the most. */
export const headings: readonly string[] = [
  "operation",
  "by",
  "wall s",
  "× kubectl",
  "CPU s: CLI",
  "program",
  "plugin",
  "peak MiB: CLI",
  "program",
  "plugin",
];

/** The rows below them, an operation's together; those of kubectl and of kubecamp itself stand under the CLI's. */
export function cells(size: Pick<SizeResults, "rows">): string[][] {
  return operations.flatMap((operation) =>
    tools.flatMap((tool) =>
      size.rows.filter((row) => row.operation === operation && row.tool === tool).map((row) => cellsOf(row, size)),
    ),
  );
}

function cellsOf({ operation, tool, cost }: Row, size: Pick<SizeResults, "rows">): string[] {
  const measured = parts.filter((part) => cost.parts[part] !== undefined);
  const of = (column: readonly Part[], figure: "cpuSeconds" | "peakMiB", digits: number) => {
    const there = column.filter((part) => measured.includes(part));
    const sum = there.reduce((total, part) => total + (cost.parts[part]?.[figure] ?? 0), 0);
    return there.length === 0 ? "" : sum.toFixed(digits);
  };
  const columns: readonly (readonly Part[])[] = [["cli", "kubecamp", "kubectl"], ["program"], ["plugin"]];
  const kubectl = costOf(size, operation, "kubectl");
  return [
    operation,
    toolNames[tool],
    cost.seconds.toFixed(1),
    tool === "kubectl" || kubectl === undefined ? "" : (cost.seconds / kubectl.seconds).toFixed(2),
    ...columns.map((column) => of(column, "cpuSeconds", 1)),
    ...columns.map((column) => of(column, "peakMiB", 0)),
  ];
}
