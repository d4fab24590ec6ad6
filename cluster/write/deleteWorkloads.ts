import type { Waiting } from "../api/client.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../kinds/kinds.ts";
import type { WorkloadKind } from "../read/workloads.ts";
import { writeEach } from "./writeEach.ts";

/** An object to delete; the UID excludes a later one of the same name. */
interface Doomed {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Deletes each object, and in the background its dependents.
 * @returns the reasons for objects that were not deleted
 * @throws RunError if the sign-in fails
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#background-deletion
 */
export const deleteWorkloads = <T extends Doomed>(doomed: readonly T[], target: ApiTarget, waiting: Partial<Waiting>) =>
  writeEach(
    doomed,
    ({ kind, namespace, name, uid }) => ({
      what: `delete ${kind} '${namespace}/${name}'`,
      method: "DELETE",
      path: objectPath({ kind, namespace, name }),
      body: {
        apiVersion: "v1",
        kind: "DeleteOptions",
        propagationPolicy: "Background",
        preconditions: { uid },
      },
    }),
    () => target,
    waiting,
  );
