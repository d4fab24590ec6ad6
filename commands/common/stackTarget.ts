import { type ApiTarget, findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { readStackFile } from "../../config/sources/files.ts";
import { isMap } from "../../config/values/maps.ts";
import { nearest } from "../../config/values/nearest.ts";
import { Problem } from "./problem.ts";
import { wholeSource } from "./stackFile.ts";

/** Options that name the cluster, for a command that reads no list. */
export interface StackPlace {
  /** The only stack to look at. Default: all on the cluster. */
  readonly stack?: string;
  /** Context of the kubeconfig. Default: the stack's, if its file is in this folder and has one; else the current one. */
  readonly context?: string;
}

/** The cluster of a place. Mistakes elsewhere in the stack's file are no reason not to look. */
export function apiTargetOf({ stack, context }: StackPlace, folder = process.cwd()): ApiTarget {
  const own = context === undefined && stack !== undefined ? textOf(stackCluster(stack, folder)?.context) : undefined;
  return findApiTarget(context ?? own, undefined, own === undefined ? "--context" : "cluster.context (or --context)");
}

export const noMembers = (stack: string | undefined): string =>
  `There are no members${stack === undefined ? "" : ` of stack '${stack}'`} on this cluster. ` +
  "An up makes them; --context names another cluster of the kubeconfig.";

/** Refuses a stack without members on a cluster that has other stacks' members: the name is probably wrong. */
export function refuseUnknownStack(stack: string, others: readonly string[]): void {
  if (others.length > 0) {
    throw new Problem(`There are no members of stack '${stack}' on this cluster${nearest(stack, others) || "."}`, {
      why: `It has those of ${others.join(", ")}.`,
      remedy: "Name one of these with --stack.",
    });
  }
}

/** The cluster in the stack's file, for a command that deletes; undefined if only the place names it. */
export function ownClusterOf({ stack, context }: StackPlace & { readonly stack: string }, folder = process.cwd()) {
  const cluster = stackCluster(stack, folder);
  if (cluster === undefined && context === undefined) {
    throw new Problem("Nothing is deleted: it is not known on which cluster the stack is.", {
      why: `There is no Pulumi.${stack}.yaml in this folder, and another cluster may have a stack '${stack}', too.`,
      remedy: "Run it in the project's folder, or name the cluster: --context.",
    });
  }
  return cluster && { id: textOf(cluster.id) };
}

/** The setting `cluster`; undefined where the stack has no file in this folder. */
function stackCluster(stack: string, folder: string) {
  const file = readStackFile(folder, stack);
  if (file === undefined) {
    return undefined;
  }
  const { cluster } = wholeSource(file, stack, folder).raw;
  return isMap(cluster) ? cluster : {};
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
