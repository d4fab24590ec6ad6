/**
 * Keeps a command on one cluster from start to end, even if somebody runs `kubectl config use-context` meanwhile. Loads
 * the implementation only when a command runs, so that other commands start fast.
 */
export async function onOneCluster(work: () => Promise<void>): Promise<void> {
  const { withPinnedKubeconfig } = await import("../../cluster/api/kubeconfig/pinnedKubeconfig.ts");
  await withPinnedKubeconfig(work);
}
