/**
 * A stack's configuration after reading and validation: plain data, and all that the rest of the program knows of it.
 * `schema/` conforms to these contracts, not the reverse.
 */

/** The cluster that the stack is meant for. */
export interface ClusterSettings {
  /** Context of the kubeconfig, for the provider and for kubecamp's own reads. Default: the kubeconfig's current one. */
  readonly context?: string;
  /**
   * UID of the namespace `kube-system`, the nearest that Kubernetes has to a cluster's identity. A run on another
   * cluster stops before it touches anything. Default: any cluster.
   */
  readonly id?: string;
  /** DNS domain of Services. Default: `cluster.local`; a run that finds another domain stops. */
  readonly domain?: string;
}

/** The contact in messages to members. */
export const defaultContact = "your cluster's admin";

/**
 * Message about a cluster that is not the stack's, with the way out.
 * @param id UID of the cluster's namespace `kube-system`; undefined if nobody could read it
 * @param declared the stack's `cluster.id`
 */
export const anotherClusterText = (id: string | undefined, declared: string): string =>
  `this is another cluster: its id is ${id ?? "not known"}, and the stack's (cluster.id) is ${declared}; ` +
  "switch to the right context, or change cluster.id if the cluster was rebuilt";
