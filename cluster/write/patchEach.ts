import type { KubernetesObject } from "@kubernetes/client-node";
import { stackLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { type ApiTarget, findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { reportProgress } from "../api/progress.ts";
import type { Waiting } from "../api/requests.ts";
import { failuresOf } from "../inParallel.ts";
import { objectPath } from "../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../kinds/objectName.ts";

export interface ObjectPatch extends ObjectName {
  /** Purpose for messages, such as `end access to member 'bob's objects`. */
  readonly what: string;
  readonly patch: object;
}

/** One failure does not stop the others: returns those. @throws RunError if the sign-in fails */
export async function patchEach(all: readonly ObjectPatch[], { cluster }: Pick<Settings, "cluster">) {
  const refused = await writeEach(
    all,
    ({ what, patch, ...object }) => ({ what, method: "PATCH", path: objectPath(object), body: patch }),
    () => findApiTarget(cluster.context),
    { notify: reportProgress },
  );
  return [...refused].map(([{ kind, name, namespace }, why]) => ({ kind, name, namespace, why }));
}

/** One refusal does not stop the others: returns the reasons by item. @throws RunError if the sign-in fails */
export async function writeEach<T>(
  all: readonly T[],
  requestOf: (one: T) => Parameters<ApiServer["write"]>[0],
  target: () => ApiTarget,
  waiting: Partial<Waiting>,
): Promise<ReadonlyMap<T, string>> {
  return all.length === 0
    ? new Map()
    : await withApiServer(target(), waiting, (api) => failuresOf(all, (one) => api.write(requestOf(one))));
}

/**
 * Deletes objects of a stack, round by round, without waiting. Each is read first: one without the stack's label is
 * left alone, and the UID excludes a later one of the same name. One refusal does not stop the others.
 * @throws RunError if the sign-in fails
 */
export async function deleteOwn(
  rounds: readonly (readonly ObjectName[])[],
  { cluster, stack }: Pick<Settings, "cluster" | "stack">,
  waiting: Partial<Waiting> = {},
) {
  const objects: ObjectName[] = [];
  const refused: string[] = [];
  await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    for (const round of rounds) {
      const failed = await failuresOf(round, async (object) => {
        const path = objectPath(object);
        const live = await api.get<KubernetesObject>({ what: `the ${keyOf(object)}`, path });
        const { uid, labels, deletionTimestamp } = live?.metadata ?? {};
        if (uid !== undefined && labels?.[stackLabel] === stack && deletionTimestamp === undefined) {
          const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } };
          await api.write({ what: `delete ${keyOf(object)}`, method: "DELETE", path, body });
          objects.push(object);
        }
      });
      refused.push(...failed.values());
    }
  });
  return { objects, refused };
}
