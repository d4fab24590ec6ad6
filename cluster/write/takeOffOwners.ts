import type { Settings } from "../../config/model/settings.ts";
import { type Waiting, withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../kinds/kinds.ts";
import { keyOf, type OwnedObject } from "../read/snapshot.ts";

/**
 * Takes the owner references off, before the provider writes to any of these: from then on neither their owner's end nor
 * a failed or killed run can cost one of them. What is left undone, the next run finds and does.
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
        contentType: "application/merge-patch+json",
        // The uid is not to be changed: of another object of this name, the API server refuses the patch.
        body: { metadata: { uid: object.uid, ownerReferences: null } },
      }),
    );
  });
}
