import type { Promised } from "../../outcome.ts";

/** What connections of one kind show. */
export interface Shown {
  /** The promise where such a connection must be closed. Default: it never must. */
  readonly closed?: string;
  /** The promise where such a connection must be open. Default: that of an exception. */
  readonly open?: string;
  /** Why there may be nothing to try. */
  readonly missing: string;
  readonly page: string;
}

const limits = "docs/security/network.md#limits";
const exceptions = "docs/security/network.md#exceptions";
const addresses = "docs/security/network.md#public-addresses";
const excepted = "or settings allow them";

export const topics = {
  own: {
    open: "A member's pods reach each other and their Services",
    missing: "no pod runs there",
    page: limits,
  },
  others: {
    closed: "A member's pods reach no pods and Services of other members",
    missing: `pods have no IPv4 address, ${excepted}`,
    page: limits,
  },
  othersIPv6: {
    closed: "Nor do a member's pods reach those of others over IPv6",
    missing: `pods have no IPv6 address, ${excepted}`,
    page: limits,
  },
  inbound: {
    closed: "Pods that are no member's reach no pods and Services of members",
    missing: `no pod runs there, ${excepted}`,
    page: limits,
  },
  private: {
    closed: "A member's pods reach no private addresses, such as those of other pods",
    missing: `no pod runs there, ${excepted}`,
    page: limits,
  },
  controller: {
    closed: "A member's pods don't reach those of the ingress controller",
    missing: `no pod runs in the controller's namespace, or its containers name no port, ${excepted}`,
    page: limits,
  },
  api: {
    closed: "A member's pods don't reach the API server",
    missing: `the Service 'kubernetes' has no endpoints, ${excepted}`,
    page: limits,
  },
  nodes: {
    closed: "A member's pods don't reach kubelets",
    missing: `no node has an internal address, ${excepted}`,
    page: limits,
  },
  metadata: {
    closed: "A member's pods reach no metadata address, where clouds give out credentials",
    missing: "exceptions are about all of them",
    page: addresses,
  },
  dnsUdp: {
    open: "A member's pods can ask DNS by UDP",
    missing: "no name is known to ask for",
    page: exceptions,
  },
  dnsTcp: {
    open: "A member's pods can ask DNS by TCP",
    missing: "no pod in network.dnsNamespace has network.dnsPodLabels",
    page: exceptions,
  },
  public: {
    open: "A member's pods reach public addresses",
    closed: "Without `internet`, a member's pods reach no public addresses",
    missing: "exceptions are about all of them",
    page: addresses,
  },
} as const satisfies Record<string, Shown>;

export type Topic = keyof typeof topics;

export function promisedBy(topic: Topic, expected: "open" | "closed"): Promised {
  const shown: Shown = topics[topic];
  const promise = shown[expected];
  return promise === undefined
    ? { promise: "A member's pods reach what an exception names", page: exceptions }
    : { promise, page: shown.page };
}
