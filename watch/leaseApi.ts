import type { KubernetesObject } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../cluster/api/client.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../cluster/kinds/kinds.ts";
import { RunError } from "../config/model/runError.ts";

/** A Lease, as far as it matters here. */
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

/** What is asked of the API server about a Lease. */
export interface LeaseApi {
  /** @throws RunError where it is not there, or the API server gives no answer */
  read(): Promise<LiveLease>;
  /** Replaces it. @throws RunError where it is not as it was read any more */
  write(lease: LiveLease): Promise<LiveLease>;
  /** Whether a pod of its namespace has ended for good, by the word of its kubelet or of who deleted it by force. */
  isGone(pod: string): Promise<boolean>;
}

interface Pod extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

/** Sooner than it lapses: what hangs, is asked again. */
const patience = 10_000;

/** That of the cluster that the pod is in, which is the kubeconfig's current one. */
export function leaseApi(namespace: string, name: string): LeaseApi {
  const asking = async <T>(ask: (api: ApiServer) => Promise<T>): Promise<T> =>
    await withApiServer(findApiTarget(undefined), { patience }, ask, "watch");
  const path = objectPath({ kind: "Lease", name, namespace });
  return {
    read: () =>
      asking(async (api) => {
        const [lease] = await api.list<LiveLease>(oneOf("Lease", name, namespace));
        if (lease === undefined) {
          throw new RunError(`there is none; apply deploy/watch/rbac.yaml`);
        }
        return lease;
      }),
    write: ({ metadata, spec }) =>
      asking(async (api) => {
        const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
        const what = `write the Lease '${namespace}/${name}'`;
        return JSON.parse(await api.write({ what, method: "PUT", path, body })) as LiveLease;
      }),
    isGone: (pod) =>
      asking(async (api) => {
        const [live] = await api.list<Pod>(oneOf("Pod", pod, namespace));
        return live === undefined || ["Succeeded", "Failed"].includes(live.status?.phase ?? "");
      }),
  };
}
