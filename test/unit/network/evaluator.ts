import { BlockList, isIPv6 } from "node:net";
import type {
  V1IPBlock,
  V1LabelSelector,
  V1Namespace,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
  V1NetworkPolicySpec,
  V1Pod,
} from "@kubernetes/client-node";

/**
 * Permitted connections by the API reference of NetworkPolicies, for a cluster without traffic. It stands in for a network
 * plugin, and counts as open whatever the reference leaves to plugins, since it proves isolation: an ipBlock includes pods
 * by their IPs. It ignores ICMP, and nodes, which always reach their own pods.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */

/** A policy in the API's own words: in the client's, `from` has another name. */
export type NetworkPolicy = Pick<V1NetworkPolicy, "metadata"> & {
  readonly spec?: Omit<V1NetworkPolicySpec, "ingress"> & {
    readonly ingress?: readonly { readonly from?: V1NetworkPolicyPeer[]; readonly ports?: V1NetworkPolicyPort[] }[];
  };
};

/** The objects that decide, as the API server gives them. */
export interface NetworkObjects {
  readonly policies: readonly NetworkPolicy[];
  readonly namespaces: readonly V1Namespace[];
  readonly pods: readonly V1Pod[];
}

/** A pod, as `namespace/name`, or an address outside of the cluster. */
export type End = { readonly pod: string } | { readonly address: string };

/** The destination of a connection: a pod, not a Service in front of it. */
export interface Port {
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
}

/**
 * Whether a connection comes about: the source's policies let it out, and the destination's let it in.
 * @throws Error for a pod that there is none of
 */
export function connects(objects: NetworkObjects, from: End, to: End, port: Port): boolean {
  const [source, destination] = [found(objects, from), found(objects, to)];
  if (source.pod !== undefined && source.pod === destination.pod) {
    return true;
  }
  return (
    passes(objects, "Egress", source, destination, { ...port, at: destination.pod }) &&
    passes(objects, "Ingress", destination, source, { ...port, at: destination.pod })
  );
}

/** An end with all that selectors and blocks go by. */
interface Found {
  /** Undefined outside of the cluster. */
  readonly pod: V1Pod | undefined;
  readonly addresses: readonly string[];
}

function found({ pods }: NetworkObjects, end: End): Found {
  if ("address" in end) {
    return { pod: undefined, addresses: [end.address] };
  }
  const pod = pods.find(({ metadata }) => `${metadata?.namespace}/${metadata?.name}` === end.pod);
  if (pod === undefined) {
    throw new Error(`no pod ${end.pod}`);
  }
  return { pod, addresses: (pod.status?.podIPs ?? []).flatMap(({ ip }) => ip ?? []) };
}

/** Pods on the node's own network are nodes to everybody: no policy is about them. */
const isOnPodNetwork = (pod: V1Pod | undefined): pod is V1Pod => pod !== undefined && pod.spec?.hostNetwork !== true;

/** The ports that a rule names. */
type ApiTarget = Port & { readonly at: V1Pod | undefined };

/** Whether one side's policies let a connection with the other through. Without any for that way, everything passes. */
function passes(
  objects: NetworkObjects,
  way: "Egress" | "Ingress",
  own: Found,
  other: Found,
  target: ApiTarget,
): boolean {
  const { pod } = own;
  if (!isOnPodNetwork(pod)) {
    return true;
  }
  const about = objects.policies.filter(
    (policy) =>
      policy.metadata?.namespace === pod.metadata?.namespace &&
      matches(policy.spec?.podSelector, pod.metadata?.labels) &&
      waysOf(policy).includes(way),
  );
  return about.length === 0 || about.some((policy) => rulesOf(policy, way).some(lets));

  function lets({ peers, ports, home }: Rule): boolean {
    return (
      (peers.length === 0 || peers.some((peer) => isPeer(peer, other, home, objects))) &&
      (ports.length === 0 || ports.some((port) => isPort(port, target)))
    );
  }
}

/** Without a word, a policy is about what comes in, and about what goes out if it says anything of that. */
function waysOf({ spec }: NetworkPolicy): readonly string[] {
  return spec?.policyTypes ?? ["Ingress", ...((spec?.egress ?? []).length > 0 ? ["Egress"] : [])];
}

/** A rule of either way: no peers are everybody, and no ports are all. */
interface Rule {
  readonly peers: readonly V1NetworkPolicyPeer[];
  readonly ports: readonly V1NetworkPolicyPort[];
  /** The policy's namespace. */
  readonly home: string | undefined;
}

function rulesOf({ metadata, spec }: NetworkPolicy, way: "Egress" | "Ingress"): Rule[] {
  const home = metadata?.namespace;
  return way === "Egress"
    ? (spec?.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports, home }))
    : (spec?.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports, home }));
}

function isPeer(
  { ipBlock, namespaceSelector, podSelector }: V1NetworkPolicyPeer,
  { pod, addresses }: Found,
  home: string | undefined,
  { namespaces }: NetworkObjects,
): boolean {
  if (ipBlock !== undefined) {
    return addresses.some((address) => isInBlock(ipBlock, address));
  }
  if (!isOnPodNetwork(pod)) {
    return false;
  }
  const { namespace, labels } = pod.metadata ?? {};
  const ofNamespace = namespaces.find(({ metadata }) => metadata?.name === namespace)?.metadata?.labels;
  const isThere = namespaceSelector === undefined ? namespace === home : matches(namespaceSelector, ofNamespace);
  return isThere && matches(podSelector, labels);
}

function isInBlock({ cidr, except = [] }: V1IPBlock, address: string): boolean {
  return isWithin(cidr, address) && !except.some((block) => isWithin(block, address));
}

function isWithin(cidr: string, address: string): boolean {
  const [base = "", length] = cidr.split("/");
  const family = (text: string) => (isIPv6(text) ? "ipv6" : "ipv4");
  const block = new BlockList();
  block.addSubnet(base, Number(length), family(base));
  // To a BlockList, IPv4 addresses are IPv6 as well.
  return family(base) === family(address) && block.check(address, family(address));
}

function isPort({ port, endPort, protocol = "TCP" }: V1NetworkPolicyPort, target: ApiTarget): boolean {
  if (protocol !== target.protocol) {
    return false;
  }
  if (port === undefined) {
    return true;
  }
  if (typeof port === "number") {
    return target.port >= port && target.port <= (endPort ?? port);
  }
  const { containers = [], initContainers = [] } = target.at?.spec ?? {};
  return [...containers, ...initContainers].some(({ ports = [] }) =>
    ports.some(
      (one) => one.name === port && one.containerPort === target.port && (one.protocol ?? "TCP") === target.protocol,
    ),
  );
}

/** An empty selector is for all; so is a missing one, but for the namespace of a peer. */
function matches(selector: V1LabelSelector = {}, labels: Readonly<Record<string, string>> = {}): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case "In":
          return value !== undefined && values.includes(value);
        case "NotIn":
          return value === undefined || !values.includes(value);
        case "Exists":
          return value !== undefined;
        case "DoesNotExist":
          return value === undefined;
        default:
          throw new Error(`no operator ${operator}`);
      }
    })
  );
}
