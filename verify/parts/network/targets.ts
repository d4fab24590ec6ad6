import type { V1EndpointSlice, V1Node, V1Pod, V1Service } from "@kubernetes/client-node";
import { allOf } from "../../../cluster/kinds/kinds.ts";
import { clusterDomainOf } from "../../../config/names/names.ts";
import type { Settings } from "../../../config/settings.ts";
import { metadataAddresses } from "../../../config/values/addresses.ts";
import type { Stage } from "../../stage/stage.ts";
import { appPort, type Place } from "../pods.ts";
import type { Peer } from "./policy.ts";
import type { Try } from "./probe.ts";
import type { Topic } from "./topics.ts";

/** What a probe tries to reach. */
export interface Target extends Try {
  readonly what: string;
  /** What answers there, which policies judge: behind a Service, its pods. */
  readonly behind: readonly (Peer & { readonly port: number })[];
  /** Absent for a pod of the verification, which is what it is to whoever tries. */
  readonly topic?: Topic;
  /** Namespace of such a pod. */
  readonly owner?: string;
}

/** A pod that listens, and its Service. */
export function listenerTargets(place: Omit<Place, "ask">, pod: V1Pod, service: V1Service): Target[] {
  const { namespace } = place;
  const behind = peersOf(pod).map((peer) => ({ ...peer, port: appPort }));
  const target = (what: string, address: string, port: number): Target => ({
    how: "tcp",
    address,
    port,
    what: `the ${what} of ${nameOf(place)}`,
    behind,
    owner: namespace,
  });
  return [
    ...behind.map(({ address }) => target("pod", address, appPort)),
    ...(service.spec?.clusterIPs ?? []).map((address) => target("Service", address, 80)),
  ];
}

export const nameOf = ({ member, namespace }: Omit<Place, "ask">): string =>
  member === undefined ? `'${namespace}' (no member's)` : `'${namespace}' (${member.type.name})`;

export function peersOf({ metadata, spec, status }: V1Pod): Peer[] {
  const { namespace = "", labels = {} } = metadata ?? {};
  // Labels select no pod on its node's network.
  const selected = spec?.hostNetwork === true ? {} : { pod: { namespace, labels } };
  return (status?.podIPs ?? []).map(({ ip }) => ({ address: ip, ...selected }));
}

/** Of several that are alike, these are tried. */
const most = 3;

/** What the cluster has that is no member's. */
export interface Facts {
  readonly apiService: V1Service | undefined;
  readonly apiEndpoints: readonly V1EndpointSlice[];
  readonly nodes: readonly V1Node[];
  readonly dns: readonly V1Pod[];
  readonly controllers: readonly V1Pod[];
}

export async function factsOf({ api, settings }: Pick<Stage, "api" | "settings">): Promise<Facts> {
  const { network, route } = settings;
  const named = (path: string, selector: string) => `${path}?labelSelector=${encodeURIComponent(selector)}`;
  const selector = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join();
  const pods = async (namespace: string, labels: Readonly<Record<string, string>>) => {
    const all = allOf("Pod", namespace);
    const found = await api.list<V1Pod>({ ...all, path: named(all.path, selector(labels)) });
    return found.filter(({ status }) => status?.phase === "Running").slice(0, most);
  };
  const slices = allOf("EndpointSlice", "default");
  const [apiService, apiEndpoints, nodes, dns, controllers] = await Promise.all([
    api.get<V1Service>({ what: "the Service 'kubernetes'", path: "/api/v1/namespaces/default/services/kubernetes" }),
    api.list<V1EndpointSlice>({ ...slices, path: named(slices.path, "kubernetes.io/service-name=kubernetes") }),
    api.list<V1Node>(allOf("Node")),
    pods(network.dnsNamespace, network.dnsPodLabels),
    pods(route.namespace, network.ingressPodLabels),
  ]);
  return { apiService, apiEndpoints, nodes: nodes.slice(0, most), dns, controllers };
}

const kubeletPort = 10_250;
/** Cloudflare's resolver `one.one.one.one`, which is open to everybody. @see https://one.one.one.one */
const publicAddresses = ["1.1.1.1", "2606:4700:4700::1111"];

export const clusterTargets = (facts: Facts, settings: Settings): Target[] => [
  {
    topic: "dnsUdp",
    how: "name",
    address: `kubernetes.default.svc.${clusterDomainOf(settings)}`,
    port: 53,
    what: "DNS by UDP",
    behind: [],
  },
  ...[...facts.dns.flatMap(peersOf), ...settings.network.nodeLocalDns.map((address) => ({ address }))].map((peer) =>
    tcp("dnsTcp", "DNS by TCP", { ...peer, port: 53 }),
  ),
  ...apiTargets(facts),
  ...facts.nodes.flatMap(({ metadata, status }) =>
    (status?.addresses ?? [])
      .filter(({ type }) => type === "InternalIP")
      .map(({ address }) => tcp("nodes", `the kubelet of node '${metadata?.name}'`, { address, port: kubeletPort })),
  ),
  ...metadataAddresses.map((address) =>
    tcp("metadata", "the metadata address", { address, port: 80, isOutside: true }),
  ),
  ...facts.controllers.flatMap((pod) =>
    peersOf(pod).flatMap((peer) =>
      portsOf(pod).map((port) => tcp("controller", `pod '${pod.metadata?.name}'`, { ...peer, port })),
    ),
  ),
  ...publicAddresses.map((address) => tcp("public", "the public address", { address, port: 443, isOutside: true })),
];

const tcp = (topic: Topic, what: string, end: Target["behind"][number]): Target => ({
  topic,
  how: "tcp",
  address: end.address,
  port: end.port,
  what,
  behind: [end],
});

/** Policies judge a Service by what is behind it. */
function apiTargets({ apiService, apiEndpoints }: Facts): Target[] {
  const behind = apiEndpoints.flatMap(({ endpoints = [], ports = [] }) =>
    (endpoints ?? []).flatMap(({ addresses }) =>
      addresses.flatMap((address) =>
        (ports ?? []).flatMap(({ port }) => (port === undefined ? [] : [{ address, port }])),
      ),
    ),
  );
  const services = (apiService?.spec?.clusterIPs ?? []).map((address) => ({
    ...tcp("api", "the Service 'kubernetes'", { address, port: 443 }),
    behind,
  }));
  return [...services, ...behind.slice(0, most).map((end) => tcp("api", "the API server", end))];
}

const portsOf = ({ spec }: V1Pod): number[] =>
  (spec?.containers ?? [])
    .flatMap(({ ports = [] }) => ports)
    .filter(({ protocol = "TCP" }) => protocol === "TCP")
    .map(({ containerPort }) => containerPort)
    .slice(0, most);
