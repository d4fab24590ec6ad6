import type { Member } from "../config/member/member.ts";
import { networkPolicyName } from "../config/names/names.ts";
import type { NetworkException } from "../config/network.ts";
import type { Settings } from "../config/settings.ts";
import { blockOf } from "../config/values/addresses.ts";
import { isMap } from "../config/values/maps.ts";
import { type Fields, type Inputs, list } from "./field.ts";
import { metadataOf } from "./metadata.ts";

/**
 * Public IPv4 addresses: all except private, shared, loopback, link-local (with cloud metadata), protocol, documentation,
 * benchmark, multicast and reserved ones, and one of Azure's that only looks public.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/
 * @see https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const publicIPv4 = {
  cidr: "0.0.0.0/0",
  except: [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
};

/**
 * Public IPv6 addresses: the one block from which they are assigned, except tunnels (which contain IPv4 addresses, private
 * ones too) and documentation. Unique local (with cloud metadata), link-local, loopback, multicast and IPv4-translated
 * addresses are outside it.
 * @see https://www.iana.org/assignments/ipv6-address-space/
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
const publicIPv6 = { cidr: "2000::/3", except: ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] };

/** Kubernetes puts this label with its name onto every namespace; nobody can remove it. */
const nameLabel = "kubernetes.io/metadata.name";

/**
 * A member's isolation. In: from their own namespace and the ingress controller. Out: to their own namespace, DNS and,
 * unless `internet` is off, public addresses. Both ways: exceptions of the stack, the type and the member. All else is
 * denied.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export function networkPolicy(member: Member, settings: Settings) {
  const { network, route } = settings;
  const { internet, egress, ingress } = member.network;
  const ownNamespace = { podSelector: {} };
  return {
    metadata: metadataOf(networkPolicyName, member, settings),
    spec: {
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [
            ownNamespace,
            podsOf(route.namespace, network.ingressPodLabels),
            ...(route.also === undefined ? [] : [podsOf(route.also.namespace, route.also.ingressPodLabels)]),
          ],
        },
        ...ingress.map(({ peer, ports }) => ({ from: [endOf(peer)], ...portsOf(ports) })),
      ],
      egress: [
        { to: [ownNamespace] },
        {
          to: [
            podsOf(network.dnsNamespace, network.dnsPodLabels),
            ...network.nodeLocalDns.map((address) => ({ ipBlock: { cidr: blockOf(address) } })),
          ],
          ports: [
            { port: 53, protocol: "UDP" },
            { port: 53, protocol: "TCP" },
          ],
        },
        ...(internet ? [{ to: [{ ipBlock: publicIPv4 }, { ipBlock: publicIPv6 }] }] : []),
        ...egress.map(({ peer, ports }) => ({ to: [endOf(peer)], ...portsOf(ports) })),
      ],
    },
  };
}

/** A namespace's pods, or those of them with some labels. */
export function podsOf(namespace: string, podLabels: Readonly<Record<string, string>>) {
  return {
    namespaceSelector: { matchLabels: { [nameLabel]: namespace } },
    ...(Object.keys(podLabels).length > 0 ? { podSelector: { matchLabels: podLabels } } : {}),
  };
}

const endOf = (peer: NetworkException["peer"]) =>
  "cidr" in peer ? { ipBlock: { cidr: peer.cidr } } : podsOf(peer.namespace, peer.podLabels);

/** Without `ports`, every port is meant, and protocols without ports too. */
const portsOf = (ports: NetworkException["ports"]) => (ports.length === 0 ? {} : { ports: [...ports] });

/** A rule in a few words, such as `namespace databases (app=postgres), port 5432/TCP`. */
function networkRule({ from = [], to = [], ports = [], ...rest }: Inputs): string | undefined {
  const ends = [from, to].flat().map(endText);
  if (!Array.isArray(ports) || Object.keys(rest).length > 0 || ends.includes(undefined)) {
    return undefined;
  }
  const where = ends.includes(theInternet) ? ends.filter((end) => end !== "IPv6") : ends;
  const numbers = ports.map(portText).join(", ");
  return [where.join(" or ") || "anywhere", ...(numbers === "" ? [] : [`port ${numbers}`])].join(", ");
}

const theInternet = "the internet";

function endText(end: unknown): string | undefined {
  const { podSelector, namespaceSelector, ipBlock } = isMap(end) ? end : {};
  if (isMap(ipBlock)) {
    const { cidr, except } = ipBlock;
    const open: Readonly<Record<string, string>> = { [publicIPv4.cidr]: theInternet, [publicIPv6.cidr]: "IPv6" };
    return except === undefined ? String(cidr) : open[String(cidr)];
  }
  const [pods, namespace] = [podSelector, namespaceSelector].map(labelsIn);
  if (pods === undefined || namespace === undefined || (podSelector ?? namespaceSelector) === undefined) {
    return undefined;
  }
  const { [nameLabel]: name, ...others } = namespace;
  const space = namespaceSelector === undefined ? "the same namespace" : `namespace ${name ?? JSON.stringify(others)}`;
  const ofPods = Object.entries(pods).map(([key, value]) => `${key}=${value}`);
  return ofPods.length === 0 ? space : `${space} (${ofPods.join(", ")})`;
}

/** Labels that a selector asks for, which may be missing; undefined if it has other conditions. */
function labelsIn(selector: unknown = {}): Inputs | undefined {
  const { matchLabels = {}, ...others } = isMap(selector) ? selector : {};
  return isMap(matchLabels) && Object.keys(others).length === 0 ? matchLabels : undefined;
}

function portText(entry: unknown): string {
  const { port, endPort, protocol } = isMap(entry) ? entry : {};
  return `${port ?? "any"}${endPort === undefined ? "" : `-${endPort}`}/${protocol ?? "TCP"}`;
}

export const networkPolicyFields: Fields = {
  "spec.ingress": list("network, in", networkRule),
  "spec.egress": list("network, out", networkRule),
};

/** A member's exceptions, beyond what every member may: their own namespace, the ingress controller, DNS, the internet. */
export function networkNotes(spec: unknown): string[] {
  const { ingress, egress } = isMap(spec) ? spec : {};
  const textsOf = (rules: unknown, usual: number) =>
    (Array.isArray(rules) ? rules.slice(usual) : []).map((rule) => networkRule(rule) ?? JSON.stringify(rule));
  const out = textsOf(egress, 2);
  return [
    ...(out.includes(theInternet) ? [] : ["no internet"]),
    ...textsOf(ingress, 1).map((rule) => `network, in: ${rule}`),
    ...out.filter((rule) => rule !== theInternet).map((rule) => `network, out: ${rule}`),
  ];
}
