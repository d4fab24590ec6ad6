import { manifestKind } from "../../config/model/members/customKinds.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import type { Waiting } from "../api/client.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { kindEntry, objectPath } from "../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../read/snapshot/snapshot.ts";
import { writeEach } from "./writeEach.ts";

/** An object with fields that belong to field managers of earlier runs. */
export interface FormerlyManaged extends ObjectName {
  readonly uid: string;
  readonly managers: readonly string[];
}

/**
 * Makes managers of earlier runs give up their fields, by applying none: fields without another manager are removed,
 * and the others stay. A failure stops nothing, such as for a watch that may not write admission policies.
 * @returns the reasons for objects where it failed
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#clearing-managedfields
 */
export async function relinquish(
  objects: readonly FormerlyManaged[],
  { cluster }: Settings,
  waiting: Partial<Waiting> = {},
): Promise<string[]> {
  const all = objects.flatMap(({ managers, ...object }) => managers.map((manager) => ({ ...object, manager })));
  const refused = await writeEach(
    all,
    ({ uid, manager, ...object }) => {
      const { kind, name, namespace } = object;
      return {
        what: `take off ${keyOf(object)} what an earlier run has applied`,
        method: "PATCH",
        path: `${objectPath(object)}?fieldManager=${encodeURIComponent(manager)}`,
        contentType: "application/apply-patch+yaml",
        // The UID makes the API server refuse the request, instead of creating the object if it is gone or recreated.
        body: {
          apiVersion: kindEntry(kind).apiVersion,
          kind: manifestKind(kind),
          metadata: { name, namespace, uid },
        },
      };
    },
    () => findApiTarget(cluster.context),
    waiting,
  );
  return [...new Set(refused.values())];
}
