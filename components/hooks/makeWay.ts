import type { KubernetesObject } from "@kubernetes/client-node";
import { type Waiting, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../../cluster/kinds/kinds.ts";
import { type ClusterSnapshot, keyOf, type ObjectName } from "../../cluster/read/snapshot/snapshot.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { isOwn, strangeText } from "../../plan/decisions/buckets/plan.ts";

/** Pulumi's inputs of an object that it is about to create. */
interface Made {
  readonly kind?: ObjectName["kind"];
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

/**
 * Deletes kubecamp's own object of that name if Pulumi's state has lost it: a killed run's, or that of a member who has
 * moved to another shard. Taking it over would fail, since nobody can change it, and its keys are outdated.
 * @throws RunError naming the object and the reason, also if the object is somebody else's
 */
export async function makeWay(
  { kind, metadata: { name = "", namespace = "" } = {} }: Made,
  settings: Settings,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  waiting: Partial<Waiting> = {},
): Promise<void> {
  const object: ObjectName | undefined = kind && { kind, name, namespace };
  const live = object && managedObjects.get(keyOf(object));
  if (object === undefined || live === undefined) {
    return;
  }
  if (!isOwn(live, { name: namespace }, settings)) {
    throw new RunError(strangeText(object));
  }
  await withApiServer(findApiTarget(settings.cluster.context), waiting, async (api) => {
    // In a replacement, Pulumi has already deleted the old object.
    const [found] = await api.list<KubernetesObject>({ ...oneOf(object.kind, name, namespace), metadataOnly: true });
    if (found !== undefined) {
      await api.write({
        what: `delete ${keyOf(object)}, which is made anew,`,
        method: "DELETE",
        path: objectPath(object),
        body: { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: found.metadata?.uid } },
      });
    }
  });
}
