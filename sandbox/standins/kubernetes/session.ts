/** A configured provider: its settings, and its cluster if that answers. */
import type { Log } from "../../../buckets/protocol/engine.ts";
import { messageOf } from "../../../cluster/api/errors.ts";
import type { Waiter } from "./await/await.ts";
import { ApiClient } from "./cluster/api.ts";
import { Cluster } from "./cluster/cluster.ts";
import { Kinds } from "./cluster/kinds.ts";
import { loadKubeConfig } from "./cluster/kubeconfig.ts";
import type { Settings } from "./settings.ts";

export interface Session {
  settings: Settings;
  log: Log;
  /** Aborted when Pulumi cancels. */
  signal: AbortSignal;
  defaultNamespace: string;
  /** Undefined if the API server could not be reached. */
  cluster: Cluster | undefined;
  unreachableReason: string;
}

/** An API server that doesn't answer is no error yet: a preview can do without it. */
export async function openSession(settings: Settings, log: Log, signal: AbortSignal): Promise<Session> {
  const session = { settings, log, signal, defaultNamespace: settings.namespace, cluster: undefined };
  try {
    const config = loadKubeConfig(settings);
    const defaultNamespace = settings.namespace || config.namespace;
    const reachable = { ...session, defaultNamespace };
    const api = await ApiClient.connect(config, settings, signal);
    const kinds = new Kinds(api);
    const failure = await kinds.load().then(
      () => "",
      (error: Error) => `unable to load schema information from the API server: ${error.message}`,
    );
    if (failure) {
      return { ...reachable, unreachableReason: failure };
    }
    return { ...reachable, cluster: new Cluster(api, kinds, signal), unreachableReason: "" };
  } catch (error) {
    const reason = messageOf(error);
    return {
      ...session,
      unreachableReason: `unable to load Kubernetes client configuration from kubeconfig file. ${reason}`,
    };
  }
}

/** @throws Error if the API server could not be reached */
export function reachableCluster(session: Session): Cluster {
  if (session.cluster) {
    return session.cluster;
  }
  throw new Error(`configured Kubernetes cluster is unreachable: ${session.unreachableReason}`);
}

/** The options of an operation's waits. */
export function waiterOf({ signal, log }: Session, cluster: Cluster, urn: string, customTimeout: number): Waiter {
  return { cluster, signal, customTimeout, status: (message) => log.status(urn, message) };
}
