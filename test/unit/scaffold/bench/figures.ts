import type { Cost } from "../../../../scaffold/bench/measure/measured.ts";
import type { Operation, Results, Row, SizeResults, Tool } from "../../../../scaffold/bench/results.ts";

/** Cost of a run of this duration, all its parts included. */
export function cost(seconds: number, peaks: { cli?: number; program?: number } = {}): Cost {
  const part = (peakMiB: number) => ({ cpuSeconds: seconds / 2, peakMiB, writtenMiB: 1 });
  return { seconds, parts: { cli: part(peaks.cli ?? 100), program: part(peaks.program ?? 200) } };
}

export function row(operation: Operation, tool: Tool, seconds: number, peaks?: Parameters<typeof cost>[1]): Row {
  return { operation, tool, cost: cost(seconds, peaks) };
}

export function size(members: number, ...rows: Row[]): SizeResults {
  return { members, objects: members * 9, resources: members * 10, rows, checkpoints: [] };
}

export function results(...sizes: SizeResults[]): Results {
  return {
    date: "2026-06-15",
    machine: { cpus: 2, memoryGiB: 8 },
    versions: { kubecamp: "0.1.0", pulumi: "3.259.0", kubernetes: "1.36.3", node: "24.21.0" },
    plugins: { kubernetes: "stand-in", languageHost: "official" },
    sizes,
  };
}
