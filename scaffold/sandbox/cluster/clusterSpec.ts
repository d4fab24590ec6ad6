import type { ToolPaths } from "../tools/catalogue.ts";

/** All that there is to know about a cluster before it runs. */
export interface ClusterSpec {
  /** Also the kubeconfig's context, with `kwok-` before it. */
  readonly name: string;
  /** A folder of the cluster's own: etcd's data, certificates, logs. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly tools: ToolPaths;
  /** More arguments for the API server, such as `authentication-config=FILE`. */
  readonly apiserverArguments?: readonly string[];
}
