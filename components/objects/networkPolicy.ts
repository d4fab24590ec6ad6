import type { Member, Settings } from "../../config/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { namespaceName, networkPolicyName } from "../../naming/names.ts";

/** Private, shared, link-local (cloud metadata among them), loopback, multicast and reserved addresses. */
const closedIPv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Loopback, translated IPv4, unique local (cloud metadata among them), link-local and multicast. */
const closedIPv6 = ["::1/128", "64:ff9b::/96", "fc00::/7", "fe80::/10", "ff00::/8"];

/** Every namespace carries its name in this label; nobody can take it off. */
const nameLabel = "kubernetes.io/metadata.name";

/**
 * A member's isolation: in from their own namespace and the ingress controller; out to their own namespace, DNS and,
 * unless the stack says no, public addresses. All else is denied.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export function networkPolicy(member: Member, settings: Settings) {
  const { network, route } = settings;
  const ownNamespace = { podSelector: {} };
  const internet = {
    to: [{ ipBlock: { cidr: "0.0.0.0/0", except: closedIPv4 } }, { ipBlock: { cidr: "::/0", except: closedIPv6 } }],
  };
  return {
    metadata: {
      name: networkPolicyName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
    },
    spec: {
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: [ownNamespace, podsOf(route.namespace, network.ingressPodLabels)] }],
      egress: [
        { to: [ownNamespace] },
        {
          to: [podsOf(network.dnsNamespace, network.dnsPodLabels)],
          ports: [
            { port: 53, protocol: "UDP" },
            { port: 53, protocol: "TCP" },
          ],
        },
        ...(member.network.internet ? [internet] : []),
      ],
    },
  };
}

function podsOf(namespace: string, podLabels: Readonly<Record<string, string>>) {
  return {
    namespaceSelector: { matchLabels: { [nameLabel]: namespace } },
    ...(Object.keys(podLabels).length > 0 ? { podSelector: { matchLabels: podLabels } } : {}),
  };
}
