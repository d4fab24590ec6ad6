import type { KubernetesObject } from "@kubernetes/client-node";
import { anotherClusterText } from "../../config/cluster.ts";
import { RunError } from "../../config/values/runError.ts";
import type { ApiServer } from "../api/client.ts";
import { objectPath } from "../kinds/kinds.ts";

/** For commands that write without a run. @throws RunError if the cluster is not the stack's (`cluster.id`) */
export async function refuseAnotherCluster(
  api: Pick<ApiServer, "get">,
  { cluster: { id } }: { readonly cluster: { readonly id?: string | undefined } },
): Promise<void> {
  if (id === undefined) {
    return;
  }
  const path = objectPath({ kind: "Namespace", name: "kube-system", namespace: undefined });
  const root = await api.get<KubernetesObject>({ what: "the Namespace 'kube-system'", path });
  if (root?.metadata?.uid !== id) {
    const text = anotherClusterText(root?.metadata?.uid, id);
    throw new RunError(`Nothing was written: ${text}.`);
  }
}
