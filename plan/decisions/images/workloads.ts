import type { KubernetesObject, V1PodSpec, V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Waiting } from "../../../cluster/api/client.ts";
import { withApiServer } from "../../../cluster/api/client.ts";
import { forEachOf } from "../../../cluster/api/forEachOf.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../../../cluster/api/message.ts";
import { allOf, objectPath, oursOf } from "../../../cluster/kinds/kinds.ts";

/** Pods, and every kind that they are made from. */
export const workloadKinds = [
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Pod",
  "PodTemplate",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

/** As much of an object of any of them as matters here. */
export interface WorkloadObject extends KubernetesObject {
  readonly template?: V1PodTemplateSpec;
  readonly spec?: Partial<V1PodSpec> & {
    readonly replicas?: number;
    readonly template?: V1PodTemplateSpec;
    readonly jobTemplate?: { readonly spec?: { readonly template?: V1PodTemplateSpec } };
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** What runs on a cluster, and may run there. */
export interface WorkloadLists {
  /** Those of all members, of whatever stack. */
  readonly namespaces: readonly KubernetesObject[];
  readonly workloads: Readonly<Record<WorkloadKind, readonly WorkloadObject[]>>;
}

/**
 * Reads all that has images: ten LISTs at once, whatever the number of members.
 * @param context context of the kubeconfig; undefined for the current one
 * @throws RunError when any of them is not answered
 */
export async function readWorkloads(
  context: string | undefined,
  waiting: Partial<Waiting> = {},
): Promise<WorkloadLists> {
  return await withApiServer(
    findApiTarget(context, undefined, "--context"),
    waiting,
    async (api) => {
      const [members, ...lists] = await Promise.all([
        api.list<KubernetesObject>({ ...oursOf("Namespace"), metadataOnly: true }),
        ...workloadKinds.map(async (kind) => [kind, await api.list<WorkloadObject>(allOf(kind))] as const),
      ]);
      return { namespaces: members, workloads: Object.fromEntries(lists) as unknown as WorkloadLists["workloads"] };
    },
    "overview",
  );
}

/** An object to delete, and no other of its name. */
export interface Doomed {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Deletes each of them, and after it what it made, as far as the API server lets it.
 * @returns why, for each that was not deleted
 * @throws RunError when there is no signing in
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#background-deletion
 */
export async function deleteWorkloads<T extends Doomed>(
  doomed: readonly T[],
  context: string | undefined,
  waiting: Partial<Waiting> = {},
): Promise<ReadonlyMap<T, string>> {
  const refused = new Map<T, string>();
  await withApiServer(findApiTarget(context, undefined, "--context"), waiting, async (api) => {
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
