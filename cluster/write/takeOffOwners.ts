import type { Settings } from "../../config/model/settings/settings.ts";
import { type Waiting, withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../kinds/kinds.ts";
import { keyOf, type OwnedObject } from "../read/snapshot/snapshot.ts";

/**
 * Removes owner references before the provider writes to these objects: from then on neither the end of the owner nor a
 * failed or killed run can delete them. The next run removes those that are left.
 * @throws RunError naming the object and the reason
 */
export async function takeOffOwners(
  owned: readonly OwnedObject[],
  { cluster }: Settings,
  waiting: Partial<Waiting> = {},
): Promise<void> {
  if (owned.length === 0) {
    return;
  }
  await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    await forEachOf(owned, (object) =>
      api.write({
        what: `take the owner references off ${keyOf(object)}`,
        method: "PATCH",
        path: objectPath(object),
        // The UID can't change, so the API server refuses the patch for another object of this name.
        body: { metadata: { uid: object.uid, ownerReferences: null } },
      }),
    );
  });
}
