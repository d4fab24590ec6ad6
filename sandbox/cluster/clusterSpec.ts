import type { ToolPaths } from "../tools/catalogue.ts";

/** The specification of a cluster. */
export interface ClusterSpec {
  /** The kubeconfig's context is this with `kwok-` before it. */
  readonly name: string;
  /** Folder of this cluster alone: etcd's data, certificates, logs. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly tools: ToolPaths;
  /** Further arguments for the API server, such as `authentication-config=FILE`. */
  readonly apiserverArguments?: readonly string[];
}
