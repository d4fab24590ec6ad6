import { type Waiting, withApiServer } from "../../../cluster/api/client.ts";
import { forEachOf } from "../../../cluster/api/forEachOf.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../../../cluster/api/message.ts";
import { kinds, objectPath } from "../../../cluster/kinds/kinds.ts";
import { type ClusterSnapshot, keyOf, type ObjectName, objectNameOf } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { declaredKeys } from "./owners.ts";

/** An object with fields that belong to an earlier run's field managers. */
export interface FormerlyManaged extends ObjectName {
  readonly uid: string;
  readonly managers: readonly string[];
}

/**
 * What a run declares and earlier ones have applied under field managers that Pulumi's state does not know: they were killed
 * before it did, or an old state was restored. Each field that they applied would stay for ever, whatever is declared.
 * @param known the state's field managers, by the object's key. An object without any is taken over by this run
 */
export function formerlyManaged(
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
  known: ReadonlyMap<string, string>,
): FormerlyManaged[] {
  return severallyManaged(members, settings, snapshot).flatMap((key) => {
    const { uid, managers } = snapshot.managers?.get(key) ?? { uid: "", managers: [] };
    const own = known.get(key);
    return own === undefined || !managers.includes(own)
      ? []
      : [{ ...objectNameOf(key), uid, managers: managers.filter((manager) => manager !== own) }];
  });
}

/** Keys of what a run declares and several managers have applied: none, on most clusters. */
export function severallyManaged(members: readonly Member[], settings: Settings, snapshot: ClusterSnapshot): string[] {
  const { managers } = snapshot;
  return managers === undefined || managers.size === 0
    ? []
    : declaredKeys(members, settings, snapshot).filter((key) => managers.has(key));
}

/** One warning for all of them; none when there are none. */
export function formerManagersWarning(objects: readonly FormerlyManaged[]): string | undefined {
  return objects.length === 0
    ? undefined
    : [
        "Applied by earlier runs too, of which Pulumi's state knows nothing: what they had declared, and nobody does by now,",
        "'pulumi up' takes off:",
        ...objects.map((object) => `  ${keyOf(object)}`),
      ].join("\n");
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
