import type { Waiting } from "../api/client.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../kinds/kinds.ts";
import type { WorkloadKind } from "../read/workloads.ts";
import { attemptEach } from "./attemptEach.ts";

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
  return await attemptEach(
    doomed,
    () => target,
    waiting,
    (api, each) =>
      api.write({
        what: `delete ${each.kind} '${each.namespace}/${each.name}'`,
        method: "DELETE",
        path: objectPath(each),
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          propagationPolicy: "Background",
          preconditions: { uid: each.uid },
        },
      }),
  );
}
