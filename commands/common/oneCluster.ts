/**
 * Has a command's work see one cluster from its beginning to its end, also where `kubectl config use-context` is run
 * meanwhile. What is done is loaded when it is called for, so that the other commands start fast.
 */
export async function onOneCluster(work: () => Promise<void>): Promise<void> {
  const { withPinnedKubeconfig } = await import("../../cluster/api/kubeconfig/pinnedKubeconfig.ts");
  await withPinnedKubeconfig(work);
}
