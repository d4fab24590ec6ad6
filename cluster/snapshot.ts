/**
 * What a run knows of the live cluster: each kind read once, and only what decisions need.
 */
export interface ClusterSnapshot {
  /** UID of the namespace `kube-system`, the cluster's identity. */
  readonly id: string;
  readonly namespaces: ReadonlyMap<string, LiveObject>;
  /** Services of every namespace, by `namespace/name`. */
  readonly services: ReadonlyMap<string, LiveService>;
  /** Ingresses of the ingress controller's namespace. */
  readonly ingresses: ReadonlyMap<string, LiveObject>;
  readonly clusterRoles: ReadonlyMap<string, LiveObject>;
  readonly clusterRoleBindings: ReadonlyMap<string, LiveObject>;
}

/** An object's identity and whose it is. */
export interface LiveObject {
  readonly labels: Readonly<Record<string, string>>;
  /** Whether its deletion has begun. */
  readonly terminating: boolean;
}

/** A Service, as far as it decides whether a route can lead to it. */
export interface LiveService extends LiveObject {
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  readonly type: string;
  /** `None` for a headless Service. */
  readonly clusterIP: string;
  readonly hasSelector: boolean;
  readonly ports: readonly number[];
}

/** Key of a Service in a snapshot. */
export const serviceKey = (namespace: string, name: string) => `${namespace}/${name}`;
