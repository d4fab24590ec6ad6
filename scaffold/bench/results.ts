import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import type { Cost } from "./measure/measured.ts";

/**
 * Plain Pulumi, Pulumi tuned (docs/run/scale.md, docs/run/state.md), `kubecamp up`, kubectl, Helm.
 */
export const tools = ["pulumi", "quick", "kubecamp", "kubectl", "helm"] as const;

export type Tool = (typeof tools)[number];

/** Names in the report. */
export const toolNames: Readonly<Record<Tool, string>> = {
  pulumi: "pulumi",
  quick: "pulumi, tuned",
  kubecamp: "kubecamp up",
  kubectl: "kubectl",
  helm: "helm",
};

/** Tools that can be left out; the others are the subject and its yardstick. */
export const otherTools = ["pulumi", "quick", "helm"] as const satisfies readonly Tool[];

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
  "refresh",
  "checkpoints",
  "destroy",
] as const;

export type Operation = (typeof operations)[number];

/** Ways to write the state: plain, compressed, or only once at the end. */
export const forms = ["plain", "gzip", "zstd", "no checkpoints"] as const;

export type Form = (typeof forms)[number];

/** Cost of one form of the state. */
export interface CheckpointResults {
  readonly form: Form;
  readonly stateMiB: number;
  /** Cost of updating one resource. */
  readonly updated: Cost;
  /** Cost of creating so many resources; undefined if it was not measured. */
  readonly created?: { readonly cost: Cost; readonly resources: number };
}

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
  /** Empty if they were left out. */
  readonly checkpoints: readonly CheckpointResults[];
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
  /** Rows of `pulumi` are for the one shard with the change, those of `kubecamp up` for all shards. */
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
