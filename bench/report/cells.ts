import type { Cost } from "../measure/measured.ts";
import type { Part } from "../measure/parts.ts";
import { costOf, operations, type Row, type SizeResults, toolNames, tools } from "../results.ts";

/** A table with its title, for any output format. */
export interface Titled {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** What `partCells` has: Node is kubecamp with the program in it, or a plain run's program. */
export const partHeadings = [
  ...["CPU s: CLI", "CPU s: Node", "CPU s: plugin"],
  ...["peak MiB: CLI", "peak MiB: Node", "peak MiB: plugin", "peak MiB: all"],
] as const;

type Measured = Pick<SizeResults, "rows" | "distant">;

/** Column headings for one number of members. */
export function headings({ distant }: Measured): string[] {
  return [
    "operation",
    "by",
    "wall s",
    "× kubectl",
    ...(distant === undefined ? [] : [`wall s, ${distant.roundTrip} ms away`, "× kubectl"]),
    ...partHeadings,
  ];
}

/**
 * Rows grouped by operation. Figures of kubectl and Helm are in the CLI's columns.
 * @param beside results with kubectl's figures. Default: the same
 */
export function cells(size: Measured, beside: Measured = size): string[][] {
  return operations.flatMap((operation) =>
    tools.flatMap((tool) =>
      size.rows
        .filter((row) => row.operation === operation && row.tool === tool)
        .map((row) => cellsOf(row, size, beside)),
    ),
  );
}

function cellsOf({ operation, tool, cost }: Row, { distant }: Measured, beside: Measured): string[] {
  const far = distant && costOf(distant, operation, tool);
  return [
    operation,
    toolNames[tool],
    cost.seconds.toFixed(1),
    tool === "kubectl" ? "" : ratio(cost, costOf(beside, operation, "kubectl")),
    ...(distant === undefined
      ? []
      : [far?.seconds.toFixed(1) ?? "", tool === "kubectl" ? "" : ratio(far, costOf(distant, operation, "kubectl"))]),
    ...partCells(cost),
  ];
}

/** CPU seconds and peak MiB of each column; empty where no such process ran. */
export function partCells(cost: Cost): string[] {
  const columns: readonly (readonly Part[])[] = [["cli", "kubectl", "helm"], ["kubecamp", "program"], ["plugin"]];
  const of = (column: readonly Part[], figure: "cpuSeconds" | "peakMiB", digits: number) => {
    const there = column.filter((part) => cost.parts[part] !== undefined);
    const sum = there.reduce((total, part) => total + (cost.parts[part]?.[figure] ?? 0), 0);
    return there.length === 0 ? "" : sum.toFixed(digits);
  };
  return [
    ...columns.map((column) => of(column, "cpuSeconds", 1)),
    ...columns.map((column) => of(column, "peakMiB", 0)),
    cost.peakMiB.toFixed(0),
  ];
}

function ratio(mine: Cost | undefined, theirs: Cost | undefined): string {
  return mine === undefined || theirs === undefined ? "" : (mine.seconds / theirs.seconds).toFixed(2);
}
