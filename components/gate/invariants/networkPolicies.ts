import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/model/maps.ts";
import type { Member } from "../../../config/model/members/member.ts";
import type { NetworkException } from "../../../config/model/routes/network.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { blockOf } from "../../../config/rules/addresses.ts";
import { broken, type Violation } from "../invariants.ts";
import type { Judge } from "../object.ts";
import { listOf, mapAt, shown } from "../values.ts";

/** Blocks outside the internet, which a rule for all public addresses must exclude. */
const privateBlocks = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
];
/** IPv6 blocks that embed IPv4 addresses. */
const tunnels = ["2001::/23", "2002::/16"];

/** Allowed peers and ports; no ports stand for all. */
interface Opening {
  readonly isPeer: (peer: Readonly<Record<string, unknown>>) => boolean;
  readonly ports?: readonly unknown[];
}

/**
 * Policies add up, so each is checked against the member's declared exceptions; one policy for all pods denies the
 * rest.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/#the-two-sorts-of-pod-isolation
 */
export const isolation: Judge = ({ kind, args, member }, { settings }) => {
  if (kind !== "NetworkPolicy" || member === undefined) {
    return [];
  }
  const { podSelector, policyTypes, ingress, egress } = mapAt(args, "spec");
  const ways = listOf(policyTypes);
  return [
    ...(isDeepStrictEqual(podSelector, {})
      ? []
      : [
          broken(
            "isolation",
            "spec.podSelector",
            `is ${shown(podSelector)} instead of {}, so that other pods are open`,
          ),
        ]),
    ...["Ingress", "Egress"]
      .filter((way) => !ways.includes(way))
      .map((way) => broken("isolation", "spec.policyTypes", `has no '${way}', so that it denies none of that traffic`)),
    ...wider("ingress", "from", ingress, openIn(member, settings)),
    ...wider("egress", "to", egress, openOut(member, settings)),
  ];
};

/** Violations for peers that none of the openings allows. */
function wider(way: string, end: "from" | "to", rules: unknown, openings: readonly Opening[]): Violation[] {
  return listOf(rules).flatMap((rule, index) => {
    const at = `spec.${way}[${index}]`;
    const { [end]: peers, ports } = mapAt(rule);
    if (!Array.isArray(peers) || peers.length === 0) {
      return [broken("isolation", at, `has no '${end}', and so is open to all`)];
    }
    return peers.flatMap((peer, nth) =>
      openings.some((opening) => isMap(peer) && opening.isPeer(peer) && isWithin(ports, opening.ports))
        ? []
        : [broken("isolation", `${at}.${end}[${nth}]`, `${shown({ ...mapAt(peer), ports })} is not declared`)],
    );
  });
}

function isWithin(ports: unknown, allowed: readonly unknown[] | undefined): boolean {
  return (
    allowed === undefined ||
    (Array.isArray(ports) &&
      ports.length > 0 &&
      ports.every((port) => allowed.some((other) => isDeepStrictEqual(port, other))))
  );
}

/** Pods of the namespace itself, all or some. */
const ownPods: Opening = {
  isPeer: ({ podSelector, ...others }) => isMap(podSelector) && Object.keys(others).length === 0,
};

const opening = (peer: object, ports: readonly unknown[] = []): Opening => ({
  isPeer: (other) => isDeepStrictEqual(other, peer),
  ...(ports.length > 0 ? { ports } : {}),
});

const podsOf = (namespace: string, podLabels: Readonly<Record<string, string>>) => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
  ...(Object.keys(podLabels).length > 0 ? { podSelector: { matchLabels: podLabels } } : {}),
});

const declared = ({ peer, ports }: NetworkException) =>
  opening("cidr" in peer ? { ipBlock: { cidr: peer.cidr } } : podsOf(peer.namespace, peer.podLabels), ports);

function openIn({ network }: Member, { route, network: { ingressPodLabels } }: Settings): Opening[] {
  return [ownPods, opening(podsOf(route.namespace, ingressPodLabels)), ...network.ingress.map(declared)];
}

function openOut({ network }: Member, { network: { dnsNamespace, dnsPodLabels, nodeLocalDns } }: Settings): Opening[] {
  const dns = ["UDP", "TCP"].map((protocol) => ({ port: 53, protocol }));
  return [
    ownPods,
    opening(podsOf(dnsNamespace, dnsPodLabels), dns),
    ...nodeLocalDns.map((address) => opening({ ipBlock: { cidr: blockOf(address) } }, dns)),
    ...(network.internet ? [publicAddresses("0.0.0.0/0", privateBlocks), publicAddresses("2000::/3", tunnels)] : []),
    ...network.egress.map(declared),
  ];
}

/** A block that excludes at least its private parts. */
const publicAddresses = (cidr: string, without: readonly string[]): Opening => ({
  isPeer: ({ ipBlock, ...others }) =>
    Object.keys(others).length === 0 &&
    mapAt(ipBlock).cidr === cidr &&
    without.every((block) => listOf(mapAt(ipBlock).except).includes(block)),
});
