import { type ApiServer, type Waiting, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { kinds, resourceOf } from "../../cluster/kinds/kinds.ts";
import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import type { Concerned } from "../../cluster/kinds/selections.ts";
import { type StackKind, stackKinds, stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import { requestOf } from "../../cluster/read/stackObjects.ts";
import type { Settings } from "../../config/model/settings.ts";

/**
 * Reads whatever may be a stack's: all objects of the kinds that runs make, wherever they are and whatever labels they
 * have, since labels get lost. Of kinds that a cluster is full of, those of the names that runs give.
 * @param members whose list it is, where an identity may have no right to more than its runs read. Default: all is read
 * @throws RunError when any of them is not answered
 */
export async function readObjects(
  settings: Settings,
  waiting: Partial<Waiting>,
  members?: Concerned["members"],
): Promise<ApiObject[]> {
  return await withApiServer(findApiTarget(settings.cluster.context), waiting, async (api) => {
    const known = await Promise.all(stackKindsWhere().map(async (kind) => ((await isKnown(kind, api)) ? [kind] : [])));
    const lists = await Promise.all(known.flat().map((kind) => objectsOf(kind, settings, api, members)));
    return lists.flat(2);
  });
}

/** One without a kind has nothing of it. */
const isKnown = async (kind: StackKind, api: ApiServer) =>
  stackKinds[kind].isOptional !== true || (await api.has(resourceOf(kind), kinds[kind].apiVersion));

async function objectsOf(
  kind: StackKind,
  settings: Settings,
  api: ApiServer,
  members: Concerned["members"] | undefined,
): Promise<ApiObject[][]> {
  const selections = stackKinds[kind].selections
    .filter(({ holdsKeys }) => holdsKeys !== true)
    .filter(({ when }) => members === undefined || (when?.({ settings, members }, kind, stackKinds[kind]) ?? true));
  return await Promise.all(
    selections.map(async (selection) => {
      // Beside another controller there may be some, too, that only a rebuild looks for.
      const { isBesideController: _, ...anywhere } = selection;
      const request = requestOf(kind, members === undefined ? anywhere : selection, settings);
      const items = await api.list<ApiObject>(request);
      // The items of a list of Kubernetes' own kinds don't say what they are.
      return items.map((item) => ({ ...item, apiVersion: kinds[kind].apiVersion, kind }));
    }),
  );
}
