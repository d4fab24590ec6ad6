import type { Settings } from "../../config/model/settings.ts";
import { type Waiting, withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { kinds, objectPath } from "../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../read/snapshot.ts";

/** An object with fields that belong to an earlier run's field managers. */
export interface FormerlyManaged extends ObjectName {
  readonly uid: string;
  readonly managers: readonly string[];
}

/**
 * Has earlier runs' managers give up their fields, by applying none: what nobody else has applied goes with that, and all
 * else stays. Nobody is held up by it, such as a watch that may write no admission policies.
 * @returns why it could not be done, for each object of which it could not
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#clearing-managedfields
 */
export async function relinquish(
  objects: readonly FormerlyManaged[],
  { cluster }: Settings,
  waiting: Partial<Waiting> = {},
): Promise<string[]> {
  if (objects.length === 0) {
    return [];
  }
  const failures: string[] = [];
  await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    await forEachOf(objects, async ({ uid, managers, ...object }) => {
      const { kind, name, namespace } = object;
      const giveUp = (manager: string) =>
        api.write({
          what: `take off ${keyOf(object)} what an earlier run has applied`,
          method: "PATCH",
          path: `${objectPath(object)}?fieldManager=${encodeURIComponent(manager)}`,
          contentType: "application/apply-patch+yaml",
          // With another uid, or once it is gone, the API server refuses it rather than make one.
          body: { apiVersion: kinds[kind].apiVersion, kind, metadata: { name, namespace, uid } },
        });
      try {
        for (const manager of managers) {
          await giveUp(manager);
        }
      } catch (error) {
        failures.push(messageOf(error));
      }
    });
  });
  return failures;
}
