import type { KubernetesObject } from "@kubernetes/client-node";
import { type ApiServer, type Waiting, withApiServer } from "../../cluster/api/client.ts";
import { withoutManagers } from "../../cluster/api/fieldManagers.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { kindEntry, resourceOf } from "../../cluster/kinds/kinds.ts";
import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import type { Concerned } from "../../cluster/kinds/selections.ts";
import { type StackKind, stackKind, stackKindsOf } from "../../cluster/kinds/stackKinds.ts";
import { requestsOf, selectionsFor } from "../../cluster/read/snapshot/stackObjects.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { ownManagersOf } from "./declaredFields.ts";

/**
 * Reads all objects that may be a stack's: those of the kinds that runs make, in any namespace and with any labels,
 * since labels get lost. Of kinds that a cluster is full of, it reads only names that runs give.
 * @param members reads only the lists that a run for them reads, for an identity without further rights. Default:
 * everything
 * @throws RunError when a list is not answered
 */
export async function readObjects(
  settings: Settings,
  waiting: Partial<Waiting>,
  members?: Concerned["members"],
): Promise<ApiObject[]> {
  return await withApiServer(findApiTarget(settings.cluster.context), waiting, async (api) => {
    const known = await Promise.all(
      stackKindsOf(settings).map(async (kind) => ((await isKnown(kind, api)) ? [kind] : [])),
    );
    const lists = await Promise.all(known.flat().map((kind) => objectsOf(kind, settings, api, members)));
    return lists.flat(2);
  });
}

/** An API server without the kind has no objects of it. */
const isKnown = async (kind: StackKind, api: ApiServer) =>
  stackKind(kind).isOptional !== true || (await api.has(resourceOf(kind), kindEntry(kind).apiVersion));

async function objectsOf(
  kind: StackKind,
  settings: Settings,
  api: ApiServer,
  members: Concerned["members"] | undefined,
): Promise<ApiObject[][]> {
  const selections =
    members === undefined ? stackKind(kind).selections : selectionsFor({ settings, members, mutates: true }, kind);
  const requests = selections
    .filter(({ holdsKeys, isInTheWay }) => holdsKeys !== true && isInTheWay !== true)
    .flatMap((selection) => {
      // Only a rebuild also looks beside other ingress controllers.
      const { isBesideController: _, ...anywhere } = selection;
      return requestsOf(kind, members === undefined ? anywhere : selection, settings);
    });
  return await Promise.all(
    requests.map(async (request) => {
      const keep = (object: KubernetesObject) => withoutManagers(object, ownManagersOf(object));
      const items = await api.list<ApiObject>({ ...request, keep });
      // List items of built-in kinds have no apiVersion and kind.
      return items.map((item) => ({ ...item, apiVersion: kindEntry(kind).apiVersion, kind }));
    }),
  );
}
