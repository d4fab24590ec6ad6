import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import type { Cost } from "./measure/measured.ts";

/** Plain Pulumi, kubecamp, kubectl, Helm. */
export const tools = ["pulumi", "kubecamp", "kubectl", "helm"] as const;

export type Tool = (typeof tools)[number];

/** Names in the report. */
export const toolNames: Readonly<Record<Tool, string>> = {
  pulumi: "pulumi",
  kubecamp: "kubecamp",
  kubectl: "kubectl",
  helm: "helm",
};

/** Tools that can be left out; the others are the subject and its yardstick. */
export const otherTools = ["pulumi", "helm"] as const satisfies readonly Tool[];

/** Operations in their order. */
export const operations = [
  "create",
  "open routes",
  "unchanged preview",
  "unchanged up",
  "one limit changed",
  "one member added",
  "one member removed",
  "a dozen members added",
] as const;

export type Operation = (typeof operations)[number];

export interface Row {
  readonly operation: Operation;
  readonly tool: Tool;
  readonly cost: Cost;
}

/** Results for one number of members. */
export interface SizeResults {
  readonly members: number;
  /** Number of Kubernetes objects with all routes open. */
  readonly objects: number;
  /** Number of resources in Pulumi's state, with components and providers. */
  readonly resources: number;
  readonly rows: readonly Row[];
  /** The same with a distant cluster; undefined if that was left out. */
  readonly distant?: DistantResults;
  /** Helm's release; undefined if it was left out. */
  readonly release?: ReleaseResults;
  /** The same members split over several stacks; undefined unless requested. */
  readonly sharded?: ShardedResults;
}

/** Results with a distant cluster. */
interface DistantResults {
  /** Milliseconds added to each request. */
  readonly roundTrip: number;
  readonly rows: readonly Row[];
}

/** Results about Helm's release: Helm keeps one, with all its objects, in a single Secret. */
export interface ReleaseResults {
  /** Size of that Secret's content with all routes open; undefined if none was written. */
  readonly bytes?: number;
  /** The operation in which Helm failed, and its message; undefined if it didn't fail. */
  readonly failure?: { readonly operation: Operation; readonly words: string };
}

/** Results for a list that is split over stacks. */
export interface ShardedResults {
  /** Number of shards. */
  readonly count: number;
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

/** Cost of an operation; undefined if that tool did not run it. */
export function costOf({ rows }: Pick<SizeResults, "rows">, operation: Operation, tool: Tool): Cost | undefined {
  return rows.find((row) => row.operation === operation && row.tool === tool)?.cost;
}
