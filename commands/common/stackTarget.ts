import { type ApiTarget, findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { isMap } from "../../config/model/maps.ts";
import { readStackFile } from "../../config/sources/files.ts";
import { wholeSource } from "./stackFile.ts";

/** Options that name the cluster, for a command that reads no list. */
export interface Place {
  /** The only stack to look at; default: all on the cluster. */
  readonly stack?: string;
  /** Context of the kubeconfig. Default: the stack's, if its file is in this folder and has one; else the current one. */
  readonly context?: string;
}

/**
 * The cluster of a place. Mistakes elsewhere in the stack's file are no reason not to look.
 * @throws RunError naming the kubeconfig and the remedy
 */
export function targetOf({ stack, context }: Place, folder = process.cwd()): ApiTarget {
  const own = context === undefined && stack !== undefined ? stackContext(stack, folder) : undefined;
  return findApiTarget(context ?? own, undefined, own === undefined ? "--context" : "cluster.context (or --context)");
}

/** Message about a cluster without members. */
export const noMembers = (stack: string | undefined): string =>
  `There are no members${stack === undefined ? "" : ` of stack '${stack}'`} on this cluster. ` +
  "An up makes them; --context names another cluster of the kubeconfig.";

function stackContext(stack: string, folder: string): string | undefined {
  const file = readStackFile(folder, stack);
  if (file === undefined) return undefined;
  const { cluster } = wholeSource(file, stack, folder).raw;
  return isMap(cluster) && typeof cluster.context === "string" ? cluster.context : undefined;
}
