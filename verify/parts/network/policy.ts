import { isIn } from "../../../config/values/addresses.ts";

/** One end of a connection. */
export interface Peer {
  readonly address: string;
  /** Absent for what no rule selects by labels, such as a node. */
  readonly pod?: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
  /** Whether it is outside of the cluster: of its own pods and nodes, plugins differ on whether addresses in a rule count. */
  readonly isOutside?: true;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}

interface RulePeer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

/** A rule of a NetworkPolicy, as kubecamp writes them. */
export interface Rule {
  readonly from?: readonly RulePeer[];
  readonly to?: readonly RulePeer[];
  readonly ports?: readonly { readonly port: number; readonly protocol: string }[];
}

/** `either`: it depends on the plugin. */
export type Openness = "open" | "closed" | "either";

/**
 * What a policy's rules of one direction say of a TCP connection.
 * @param home the policy's namespace
 * @param port where the connection leads to
 */
export function openness(rules: readonly Rule[], home: string, { pod, ...peer }: Peer, port: number): Openness {
  const ends = rules
    .filter(({ ports = [] }) => ports.length === 0 || ports.some((it) => it.port === port && it.protocol === "TCP"))
    .flatMap(({ from = [], to = [] }) => [...from, ...to]);
  if (pod !== undefined && ends.some((end) => selects(end, home, pod))) {
    return "open";
  }
  if (!ends.some(({ ipBlock }) => ipBlock !== undefined && holds(ipBlock, peer.address))) {
    return "closed";
  }
  return peer.isOutside === true ? "open" : "either";
}

/** Labels of a namespace are no more than its name, by which kubecamp selects. */
function selects(
  { podSelector, namespaceSelector }: RulePeer,
  home: string,
  { namespace, labels }: NonNullable<Peer["pod"]>,
): boolean {
  const isThere =
    namespaceSelector === undefined
      ? podSelector !== undefined && namespace === home
      : matches(namespaceSelector, { "kubernetes.io/metadata.name": namespace });
  return isThere && matches(podSelector, labels);
}

const matches = ({ matchLabels = {} }: Selector = {}, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);

const holds = ({ cidr, except = [] }: NonNullable<RulePeer["ipBlock"]>, address: string): boolean =>
  isIn(cidr, address) && !except.some((block) => isIn(block, address));
