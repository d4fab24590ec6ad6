/** A port that connections may use. */
export interface NetworkPort {
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
}

/** A peer that isolation lets connect, in one direction. */
export interface NetworkException {
  /** Addresses, or pods of a namespace; without labels, all pods of the namespace. */
  readonly peer:
    | { readonly cidr: string }
    | { readonly namespace: string; readonly podLabels: Readonly<Record<string, string>> };
  /** Default: none, which means every port. */
  readonly ports: readonly NetworkPort[];
}

/** Connections that a member's isolation allows besides their own namespace, DNS and the ingress controller. */
export interface NetworkAccess {
  /** Whether pods reach public addresses; private and metadata addresses stay closed. */
  readonly internet: boolean;
  /** Further destinations of connections from their pods. Default: none. */
  readonly egress: readonly NetworkException[];
  /** Further sources of connections to their pods. Default: none. */
  readonly ingress: readonly NetworkException[];
}

/**
 * Settings that members' NetworkPolicies share.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export interface NetworkSettings {
  /** Labels of the ingress controller's pods. Default: none, which means every pod of its namespace. */
  readonly ingressPodLabels: Readonly<Record<string, string>>;
  /** Namespace of the cluster's DNS pods. */
  readonly dnsNamespace: string;
  /** Labels of the cluster's DNS pods. */
  readonly dnsPodLabels: Readonly<Record<string, string>>;
  /** Addresses of NodeLocal DNS, as `169.254.20.10`: its pods use the node's network, so no labels select them. */
  readonly nodeLocalDns: readonly string[];
}
