import type { KubernetesObject } from "@kubernetes/client-node";
import { type Waiting, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../../cluster/kinds/kinds.ts";
import { type ClusterSnapshot, keyOf, type ObjectName } from "../../cluster/read/snapshot.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Settings } from "../../config/model/settings.ts";
import { isOwn, strangeText } from "../../plan/decisions/buckets/plan.ts";

/** What Pulumi tells of an object that it is about to make. */
interface Made {
  readonly kind?: ObjectName["kind"];
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

/**
 * Deletes what a run has made under an object's name and Pulumi's state has lost: a killed run's, or that of a member who has
 * moved to another shard. To take it over would fail, since nobody can change it, and the keys in it are by now others.
 * @throws RunError naming the object and the reason; also where it is somebody else's, whom it would be taken from
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
    // Pulumi has deleted it itself where it takes the place of one that the state has.
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
