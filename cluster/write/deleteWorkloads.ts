import { type Waiting, withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { objectPath } from "../kinds/kinds.ts";
import type { WorkloadKind } from "../read/workloads.ts";

/** An object to delete; the UID excludes a later one of the same name. */
interface Doomed {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Deletes each object, and in the background its dependents; one refusal does not stop the others.
 * @returns the reasons for objects that were not deleted
 * @throws RunError if the sign-in fails
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#background-deletion
 */
export async function deleteWorkloads<T extends Doomed>(
  doomed: readonly T[],
  target: ApiTarget,
  waiting: Partial<Waiting> = {},
): Promise<ReadonlyMap<T, string>> {
  const refused = new Map<T, string>();
  await withApiServer(target, waiting, async (api) => {
    await forEachOf(doomed, (each) =>
      api
        .write({
          what: `delete ${each.kind} '${each.namespace}/${each.name}'`,
          method: "DELETE",
          path: objectPath(each),
          body: {
            apiVersion: "v1",
            kind: "DeleteOptions",
            propagationPolicy: "Background",
            preconditions: { uid: each.uid },
          },
        })
        .catch((cause: unknown) => void refused.set(each, messageOf(cause))),
    );
  });
  return refused;
}
