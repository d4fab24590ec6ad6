import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings/settings.ts";
import { stackLabel } from "../../naming/labels.ts";
import { type Waiting, withApiServer } from "../api/client.ts";
import { failuresOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../read/snapshot/snapshot.ts";

/** Objects whose deletion has begun, and the reasons for those where it has not. */
interface Deleted {
  readonly objects: readonly ObjectName[];
  readonly refused: readonly string[];
}

/**
 * Deletes objects of a stack, one round after the other. Each is read first: one that does not have the stack's label any
 * more is left alone, and the UID excludes a later one of the same name. One refusal does not stop the others, and nothing is
 * waited for.
 * @throws RunError if the sign-in fails
 */
export async function deleteOwn(
  rounds: readonly (readonly ObjectName[])[],
  { cluster, stack }: Pick<Settings, "cluster" | "stack">,
  waiting: Partial<Waiting> = {},
): Promise<Deleted> {
  const objects: ObjectName[] = [];
  const refused: string[] = [];
  await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    for (const round of rounds) {
      const failed = await failuresOf(round, async (object) => {
        const path = objectPath(object);
        const live = await api.get<KubernetesObject>({ what: `the ${keyOf(object)}`, path });
        const { uid, labels, deletionTimestamp } = live?.metadata ?? {};
        if (uid !== undefined && labels?.[stackLabel] === stack && deletionTimestamp === undefined) {
          const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } };
          await api.write({ what: `delete ${keyOf(object)}`, method: "DELETE", path, body });
          objects.push(object);
        }
      });
      refused.push(...failed.values());
    }
  });
  return { objects, refused };
}
