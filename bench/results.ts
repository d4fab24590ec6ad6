import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import type { Cost } from "./measure/measured.ts";

/** Who does it. */
export type Tool = "pulumi" | "kubectl";

/** What is done, in the order in which it is. */
export const operations = [
  "create",
  "open routes",
  "unchanged preview",
  "unchanged up",
  "one limit changed",
  "one member added",
  "one member removed",
  "refresh",
  "destroy",
] as const;

export type Operation = (typeof operations)[number];

export interface Row {
  readonly operation: Operation;
  readonly tool: Tool;
  readonly cost: Cost;
}

/** What one number of members cost. */
export interface SizeResults {
  readonly members: number;
  /** Objects of Kubernetes that there are with all routes open. */
  readonly objects: number;
  /** What Pulumi's state has, components and provider included. */
  readonly resources: number;
  readonly rows: readonly Row[];
}

export interface Results {
  /** In UTC, such as `2026-06-15`. */
  readonly date: string;
  readonly machine: {
    readonly cpus: number;
    readonly memoryGiB: number;
  };
  readonly versions: Readonly<Record<"kubecamp" | "pulumi" | "kubernetes" | "node", string>>;
  readonly plugins: PluginChoice;
  readonly sizes: readonly SizeResults[];
}

/** What an operation cost; undefined if it was not done by that tool. */
export function costOf({ rows }: SizeResults, operation: Operation, tool: Tool): Cost | undefined {
  return rows.find((row) => row.operation === operation && row.tool === tool)?.cost;
}
