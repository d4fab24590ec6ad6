import type { Settings } from "../../../config/model/settings.ts";
import { type Waiting, withApiServer } from "../../api/client.ts";
import { findApiTarget } from "../../api/kubeconfig/kubeconfig.ts";
import { kinds, resourceOf } from "../../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../snapshot.ts";
import { may } from "./mayWrite.ts";

/**
 * Which of a stack's admission policies and their bindings this identity may not write, by `objectKey`. No policy judges what
 * is written to policies, so that whoever has that right can have every write on the cluster refused: the watch does without
 * it, and leaves them to an admin's up. Where the API server does not tell, none is left.
 * @param objects those that are asked about
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
        const [group = ""] = kinds[kind].apiVersion.split("/");
        const right = await may(api, { verb: "patch", group, resource: resourceOf(kind), name });
        return right === "no" ? [keyOf(object)] : [];
      }),
    );
    return new Set(rights.flat());
  });
}
