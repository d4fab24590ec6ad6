import { z } from "zod";
import type { Rule } from "./rule.ts";
import { blockOf, canonicalAddress, canonicalBlock, isIn, metadataAddresses } from "./values/addresses.ts";
import type { EntryOf, Valid } from "./values/issues.ts";
import { given, present, when } from "./values/maps.ts";
import { valueMistake } from "./values/mistakes.ts";
import { dnsLabel, flag, labels, optional, text } from "./values/values.ts";

const defaultNetwork = {
  dnsNamespace: "kube-system",
  dnsPodLabels: { "k8s-app": "kube-dns" },
} as const;

const defaultInternet = true;

const portNumber = "([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

const portRule = "must be a port, such as 5432 or 53/UDP";

const port = z.union(
  [
    z.int(portRule).min(1, portRule).max(65_535, portRule),
    z.string().regex(new RegExp(`^${portNumber}/(TCP|UDP|SCTP)$`), portRule),
  ],
  portRule,
);

/** A text with one canonical form. */
const written = (canonical: (value: string) => string | undefined, what: string) =>
  text.check(({ value, issues }) => {
    const right = value === "" ? value : canonical(value);
    if (right !== value) {
      const message = right === undefined ? `must be ${what}` : `must be written ${right}`;
      issues.push({ code: "custom", input: value, message });
    }
  });

const address = written(canonicalAddress, "an IP address, such as 169.254.20.10");

/** A lone address is understood, and the message gives its block. */
const block = written(
  (value) => canonicalBlock(value) ?? canonicalBlock(blockOf(value)),
  "a block of addresses, such as 10.20.0.0/16 or 2001:db8::/32",
);

/** Must be named alone: in a larger block it is easily overlooked, and any pod could use the node's credentials. */
const destinations = block.check(({ value, issues }) => {
  const held = issues.length > 0 ? undefined : metadataAddresses.find((one) => isIn(value, one));
  if (held !== undefined && value !== blockOf(held)) {
    const message =
      `holds ${held}, where clouds hand out credentials of nodes; ` +
      `name smaller blocks, or ${blockOf(held)} beside them if that is to be reached`;
    issues.push({ code: "custom", input: value, message });
  }
});

const exceptionMap = (cidr: typeof block) =>
  z.strictObject(
    {
      cidr: optional(cidr, "IPv4 or IPv6 addresses, such as `10.20.0.0/16`; excludes `namespace`."),
      namespace: optional(dnsLabel, "Pods of a namespace; excludes `cidr`."),
      podLabels: optional(labels, "Labels of those pods. Default: every pod of the namespace."),
      ports: optional(
        z.array(port, "must be a list of ports").min(1, "must have a port; for every port, leave ports out"),
        "Ports, such as `5432` (TCP) or `53/UDP`. Default: every port.",
      ),
    },
    "must be a map with cidr or namespace",
  );

type NetworkExceptionEntry = z.input<ReturnType<typeof exceptionMap>>;

/** Without a peer, an exception would allow everything; with both kinds, it is ambiguous. */
function oneEnd(entry: NetworkExceptionEntry, { issues, addIssue }: z.core.$RefinementCtx<NetworkExceptionEntry>) {
  const has = (key: keyof NetworkExceptionEntry) => entry[key] !== undefined;
  const report = (message: string, ...path: string[]) => addIssue({ code: "custom", path, message });
  if (has("cidr") && has("namespace")) {
    report("stands beside cidr; make two entries of it", "namespace");
  } else if (has("cidr") && has("podLabels")) {
    report("stands beside cidr, and no address has labels; leave one of the two out", "podLabels");
  } else if (!has("cidr") && !has("namespace") && !issues.some(({ code }) => code === "unrecognized_keys")) {
    report("must have cidr or namespace");
  }
}

const exception = (cidr: typeof block) =>
  exceptionMap(cidr).superRefine(oneEnd, {
    // Reports this besides other mistakes, if the value is a map.
    when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value),
  });

const access = {
  internet: flag.optional(),
  egress: z.array(exception(destinations), "must be a list of exceptions").optional(),
  ingress: z.array(exception(block), "must be a list of exceptions").optional(),
};

export const networkAccess = z.strictObject(
  {
    internet: access.internet.meta({ description: "Whether pods reach public addresses. Default: the stack's." }),
    egress: access.egress.meta({ description: "Further destinations. Default: none." }),
    ingress: access.ingress.meta({ description: "Further sources. Default: none." }),
  },
  "must be a map",
);

type NetworkAccessEntry = z.input<typeof networkAccess>;

export const networkSchema = optional(
  z.strictObject(
    {
      ingressPodLabels: optional(
        labels,
        "Labels of the ingress controller's pods. Default: every pod of its namespace.",
      ),
      dnsNamespace: optional(dnsLabel, "Namespace of the DNS pods.", { default: defaultNetwork.dnsNamespace }),
      dnsPodLabels: optional(labels, "Labels of the DNS pods.", { default: defaultNetwork.dnsPodLabels }),
      nodeLocalDns: optional(
        z.array(address, "must be a list of IP addresses"),
        "Addresses of NodeLocal DNSCache; with kube-proxy in iptables mode, also of the DNS Service.",
        { default: [], examples: [["169.254.20.10", "10.96.0.10"]] },
      ),
      internet: access.internet.meta({ description: "Whether pods reach public addresses.", default: defaultInternet }),
      egress: access.egress.meta({ description: "Further destinations of pods.", default: [] }),
      ingress: access.ingress.meta({ description: "Further sources, such as monitoring.", default: [] }),
    },
    "must be a map",
  ),
  "Connections of members' pods. See [network.md](../security/network.md).",
  { examples: [{ ingressPodLabels: { "app.kubernetes.io/name": "traefik" }, internet: false }] },
);

/**
 * What members' NetworkPolicies share. NodeLocal DNS has addresses: its pods use the node's network, so no labels select
 * them.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export const networkSettingsOf = (entry: EntryOf<typeof networkSchema> = {}) => ({
  ingressPodLabels: {},
  ...defaultNetwork,
  ...given(entry, "ingressPodLabels", "dnsNamespace", "dnsPodLabels"),
  nodeLocalDns: present(entry.nodeLocalDns),
});

/** A member's allowed connections: those of all entries together, and `internet` from the first entry that has it. */
export function networkAccessOf(...entries: readonly (Valid<NetworkAccessEntry> | undefined)[]) {
  const all = (way: "egress" | "ingress") => entries.flatMap((entry) => present(entry?.[way]).map(exceptionOf));
  return {
    internet: entries.find((entry) => entry?.internet !== undefined)?.internet ?? defaultInternet,
    egress: all("egress"),
    ingress: all("ingress"),
  };
}

/** Connections that a member's isolation allows besides their own namespace, DNS and the ingress controller. */
export type NetworkAccess = Readonly<ReturnType<typeof networkAccessOf>>;

/** A peer that isolation lets connect in one direction: addresses, or pods of a namespace. Without ports, every port. */
export type NetworkException = Readonly<ReturnType<typeof exceptionOf>>;

const exceptionOf = ({ cidr, namespace = "", podLabels = {}, ports }: Valid<NetworkExceptionEntry>) => ({
  peer: cidr === undefined ? { namespace, podLabels: podLabels as Readonly<Record<string, string>> } : { cidr },
  ports: present(ports).map((port) => {
    const [number, protocol = "TCP"] = String(port).split("/");
    return { port: Number(number), protocol: protocol as "TCP" | "UDP" | "SCTP" };
  }),
});

export const metadataRule: Rule = ({ candidates, isListElsewhere }) => {
  if (!isListElsewhere) {
    return [];
  }
  return candidates.flatMap(({ index, entry }) =>
    (entry.network?.egress ?? []).flatMap((exception, at) => {
      const held = canonicalBlock(exception?.cidr ?? "");
      const isOpen = held !== undefined && metadataAddresses.some((one) => isIn(held, one));
      const message =
        "is where clouds hand out credentials of nodes, and whoever edits the members file can't decide that: " +
        "leave it out, or allow it in kubecamp:network or the member's type";
      const path = ["members", index, "network", "egress", at, "cidr"];
      return when(isOpen, valueMistake(path, held, message));
    }),
  );
};
