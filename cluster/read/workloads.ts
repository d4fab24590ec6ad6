import type { KubernetesObject, V1PodSpec, V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Waiting } from "../api/client.ts";
import { withApiServer } from "../api/client.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { allOf, oursOf } from "../kinds/kinds.ts";

/** Pods, and all kinds that create pods. */
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

/** Union of the fields that are read of these kinds. */
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

/** Workloads of a cluster, running or not. */
export interface WorkloadLists {
  /** Namespaces of all members, of any stack. */
  readonly namespaces: readonly KubernetesObject[];
  readonly workloads: Readonly<Record<WorkloadKind, readonly WorkloadObject[]>>;
}

/**
 * Reads all objects with images: ten LISTs at once, whatever the number of members.
 * @throws RunError if any LIST fails
 */
export async function readWorkloads(target: ApiTarget, waiting: Partial<Waiting> = {}): Promise<WorkloadLists> {
  return await withApiServer(
    target,
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
