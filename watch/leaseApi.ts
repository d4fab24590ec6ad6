import type { KubernetesObject } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../cluster/api/client.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../cluster/kinds/kinds.ts";
import { RunError } from "../config/values/runError.ts";

export interface LiveLease {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion: string };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export type LeaseApi = ReturnType<typeof leaseApi>;

interface Pod extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

/** Time limit of a request, in milliseconds: short of the Lease's duration, so that a hanging one is repeated in time. */
const patience = 10_000;

/** Requests to the cluster of this pod, which is the kubeconfig's current context. */
export function leaseApi(namespace: string, name: string) {
  const asking = async <T>(ask: (api: ApiServer) => Promise<T>): Promise<T> =>
    await withApiServer(findApiTarget(undefined), { patience }, ask, "watch");
  const path = objectPath({ kind: "Lease", name, namespace });
  return {
    /** @throws RunError if the Lease does not exist or the API server does not answer */
    read: (): Promise<LiveLease> =>
      asking(async (api) => {
        const [lease] = await api.list<LiveLease>(oneOf("Lease", name, namespace));
        if (lease === undefined) {
          throw new RunError("there is none; apply what kubecamp watch manifests prints");
        }
        return lease;
      }),
    /** Replaces the Lease. @throws RunError if it has changed since it was read */
    write: ({ metadata, spec }: LiveLease): Promise<LiveLease> =>
      asking(async (api) => {
        const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
        const what = `write the Lease '${namespace}/${name}'`;
        return JSON.parse(await api.write({ what, method: "PUT", path, body })) as LiveLease;
      }),
    /** Whether a pod of the Lease's namespace is deleted, or has ended according to its kubelet. */
    isGone: (pod: string): Promise<boolean> =>
      asking(async (api) => {
        const [live] = await api.list<Pod>(oneOf("Pod", pod, namespace));
        return live === undefined || ["Succeeded", "Failed"].includes(live.status?.phase ?? "");
      }),
  };
}
