import type { KubernetesObject, V1Container, V1EphemeralContainer, V1Volume } from "@kubernetes/client-node";
import { isMap } from "../../config/values/maps.ts";
import { withApiServer } from "../api/client.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { allOf, oursOf } from "../kinds/kinds.ts";

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

export interface ImageSpec {
  readonly containers?: readonly Pick<V1Container, "name" | "image">[];
  readonly initContainers?: readonly Pick<V1Container, "name" | "image">[];
  readonly ephemeralContainers?: readonly Pick<V1EphemeralContainer, "name" | "image">[];
  readonly volumes?: readonly Pick<V1Volume, "name" | "image">[];
}

interface Template {
  readonly spec?: ImageSpec;
}

export interface WorkloadObject extends KubernetesObject {
  readonly template?: Template;
  readonly spec?: ImageSpec & {
    readonly replicas?: number;
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec?: { readonly template?: Template } };
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface WorkloadLists {
  readonly namespaces: readonly KubernetesObject[];
  readonly workloads: Readonly<Record<WorkloadKind, readonly WorkloadObject[]>>;
}

/** All objects with images: ten LISTs at once, whatever the number of members. @throws RunError if any fails */
export async function readWorkloads(target: ApiTarget, waiting: Partial<Waiting> = {}): Promise<WorkloadLists> {
  return await withApiServer(
    target,
    waiting,
    async (api) => {
      const [members, ...lists] = await Promise.all([
        api.list<KubernetesObject>({ ...oursOf("Namespace"), metadataOnly: true }),
        ...workloadKinds.map(
          async (kind) => [kind, await api.list<WorkloadObject>({ ...allOf(kind), keep: withImages })] as const,
        ),
      ]);
      return { namespaces: members, workloads: Object.fromEntries(lists) as unknown as WorkloadLists["workloads"] };
    },
    "overview",
  );
}

interface Fields {
  readonly [name: string]: true | Fields;
}

const named: Fields = { name: true, image: true };
const images: Fields = { containers: named, initContainers: named, ephemeralContainers: named, volumes: named };
const template: Fields = { spec: images };
const read: Fields = {
  metadata: { name: true, namespace: true, uid: true, deletionTimestamp: true, ownerReferences: true },
  template,
  spec: { ...images, replicas: true, template, jobTemplate: { spec: { template } } },
  status: { phase: true, conditions: { type: true, status: true } },
};

/** Keeps of an object what is read of it: members may have hundreds that take more memory than there is. */
const withImages = (object: object): WorkloadObject => only(object, read) as WorkloadObject;

function only(value: unknown, fields: true | Fields): unknown {
  if (fields === true) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => only(item, fields));
  }
  const kept = Object.entries(fields).filter(([name]) => isMap(value) && value[name] !== undefined);
  return Object.fromEntries(kept.map(([name, field]) => [name, only(Object(value)[name], field)]));
}
