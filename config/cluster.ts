/**
 * Message about a cluster that is not the stack's, with the way out.
 * @param id UID of the cluster's namespace `kube-system`; undefined if nobody could read it
 * @param declared the stack's `cluster.id`
 */
export const anotherClusterText = (id: string | undefined, declared: string): string =>
  `this is another cluster: its id is ${id ?? "not known"}, and the stack's (cluster.id) is ${declared}; ` +
  "switch to the right context, or change cluster.id if the cluster was rebuilt";
