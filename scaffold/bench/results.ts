import type { PluginChoice } from "../sandbox/plugins/pluginChoice.ts";
import type { Cost } from "./measure/measured.ts";

/** Who does it: Pulumi as it is, Pulumi as docs/run/scale.md and docs/run/state.md tune it, `kubecamp up`, that with `--skip-checkpoints`, kubectl, or Helm. */
export const tools = ["pulumi", "quick", "kubecamp", "kubecampQuick", "kubectl", "helm"] as const;

export type Tool = (typeof tools)[number];

/** What they are called. */
export const toolNames: Readonly<Record<Tool, string>> = {
  pulumi: "pulumi",
  quick: "pulumi, tuned",
  kubecamp: "kubecamp up",
  kubecampQuick: "kubecamp up, quick",
  kubectl: "kubectl",
  helm: "helm",
};

/** Those that can be left out: the others are what is measured, and its measure. */
export const otherTools = ["pulumi", "quick", "kubecampQuick", "helm"] as const satisfies readonly Tool[];

/** What is done, in the order in which it is. */
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

/** How the state is written: as it is, compressed, or only once at the end. */
export const forms = ["plain", "gzip", "zstd", "no checkpoints"] as const;

export type Form = (typeof forms)[number];

/** What the state's form costs. */
export interface CheckpointResults {
  readonly form: Form;
  readonly stateMiB: number;
  /** One resource updated. */
  readonly updated: Cost;
  /** So many of them created; undefined where that was left out. */
  readonly created?: { readonly cost: Cost; readonly resources: number };
}

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
  /** None if they were left out. */
  readonly checkpoints: readonly CheckpointResults[];
  /** The same on a cluster that is not on this machine; undefined if that was left out. */
  readonly distant?: DistantResults;
  /** What became of Helm's release; undefined if it was left out. */
  readonly release?: ReleaseResults;
  /** The same members split over several stacks; undefined unless that was asked for. */
  readonly sharded?: ShardedResults;
}

/** What members cost whose cluster is further away. */
export interface DistantResults {
  /** Milliseconds that each request takes longer. */
  readonly roundTrip: number;
  readonly rows: readonly Row[];
}

/** Helm keeps a release, with all its objects, in one Secret. */
export interface ReleaseResults {
  /** What that Secret holds with all routes open. Undefined if it did not come to one. */
  readonly bytes?: number;
  /** The operation in which Helm failed, and its words; undefined if it did not. */
  readonly failure?: { readonly operation: Operation; readonly words: string };
}

/** What members cost whose list is split. */
export interface ShardedResults {
  /** How many shards there were. */
  readonly count: number;
  /** Those of `pulumi` are of one shard, the one with the change, and those of `kubecamp up` of all. */
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
export function costOf({ rows }: Pick<SizeResults, "rows">, operation: Operation, tool: Tool): Cost | undefined {
  return rows.find((row) => row.operation === operation && row.tool === tool)?.cost;
}
