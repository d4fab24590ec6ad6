import { apiGroup } from "../../../config/model/apiGroup.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { type Waiting, withApiServer } from "../../api/client.ts";
import { findApiTarget } from "../../api/kubeconfig/kubeconfig.ts";
import { kindEntry, resourceOf } from "../../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../snapshot/snapshot.ts";
import { may } from "./mayWrite.ts";

/**
 * A stack's admission policies and bindings that this identity may not write, by `objectKey`. No policy checks writes
 * of policies, so this right would allow refusing every write on the cluster. The watch runs without it and leaves them
 * to an admin's up. Those without an answer are not included.
 * @param objects the policies and bindings to ask about
 */
export async function policiesOfOthers(
  { cluster }: Pick<Settings, "cluster">,
  objects: readonly ObjectName[],
  waiting: Partial<Waiting> = {},
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) {
    return new Set();
  }
  return await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    const rights = await Promise.all(
      objects.map(async (object) => {
        const { kind, name } = object;
        const group = apiGroup(kindEntry(kind).apiVersion);
        const right = await may(api, { verb: "patch", group, resource: resourceOf(kind), name });
        return right === "no" ? [keyOf(object)] : [];
      }),
    );
    return new Set(rights.flat());
  });
}
