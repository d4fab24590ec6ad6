import type { KubernetesObject, V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import type { Member, Settings } from "../../config/model/settings.ts";
import { namespaceName, routedPort, routedPortName, serviceName } from "../../naming/names.ts";
import { isLarge } from "./managedObjects.ts";
import { type LiveService, type ReadyPort, serviceKey } from "./snapshot.ts";

/** The label by which an EndpointSlice names its Service. */
const serviceNameLabel = "kubernetes.io/service-name";

/**
 * Services by `serviceKey`, as far as decisions look at them.
 * @param slices EndpointSlices of the same cluster; none where nobody's route depends on them
 */
export function liveServices(
  services: readonly V1Service[],
  slices: readonly V1EndpointSlice[] = [],
): Map<string, LiveService> {
  const slicesOf = Map.groupBy(slices, ({ metadata }) =>
    serviceKey(metadata?.namespace ?? "", metadata?.labels?.[serviceNameLabel] ?? ""),
  );
  return new Map(
    services.map((service) => {
      const key = keyOf(service);
      return [key, liveService(service, (slicesOf.get(key) ?? []).flatMap(readyPorts))];
    }),
  );
}

/**
 * Whether somebody's route depends on what is behind a Service: it takes ready pods, or the Service is headless, so that
 * there is nothing else that could answer.
 */
export function endpointsMatter(members: readonly Member[], services: ReadonlyMap<string, LiveService>): boolean {
  return members.some((member) => {
    const service = services.get(serviceKey(namespaceName(member), serviceName(member)));
    const routed = member.standing === "active" && member.route !== undefined;
    return (
      routed && (member.route.readiness.requires === "endpoints" || (service !== undefined && isHeadless(service)))
    );
  });
}

/** Key of the routed port among those of a Service. */
export const routedPortKey = ({ route }: Pick<Settings, "route">) => `${routedPort(route)}/TCP`;

/**
 * Another port that the routed one can't stand beside, if there is one. Ports are kept by number and protocol, so that
 * ours comes to the others; and then each needs a name.
 */
export function portInTheWay(
  { portNames }: Pick<LiveService, "portNames">,
  settings: Pick<Settings, "route">,
): string | undefined {
  const unnamed = ["", routedPortName(settings.route)];
  const [port] =
    Object.entries(portNames).find(([key, name]) => key !== routedPortKey(settings) && unnamed.includes(name)) ?? [];
  return port;
}

/**
 * A Service without an address of its own: its name stands for its pods.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#headless-services
 */
export function isHeadless({ type, clusterIP }: Pick<LiveService, "type" | "clusterIP">): boolean {
  return type === "ClusterIP" && clusterIP === "None";
}

function liveService(service: V1Service, readyPorts: readonly ReadyPort[]): LiveService {
  const { metadata, spec } = service;
  const ports = (spec?.ports ?? []).map(({ protocol = "TCP", ...port }) => ({ ...port, protocol }));
  const byPort = <T>(value: (port: (typeof ports)[number]) => T) =>
    Object.fromEntries(ports.map((port) => [`${port.port}/${port.protocol}`, value(port)]));
  return {
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    resourceVersion: metadata?.resourceVersion ?? "",
    terminating: metadata?.deletionTimestamp !== undefined,
    type: spec?.type ?? "ClusterIP",
    clusterIP: spec?.clusterIP ?? "",
    selector: spec?.selector ?? {},
    ports: ports.filter(({ protocol }) => protocol === "TCP").map(({ port }) => port),
    portNames: byPort(({ name = "" }) => name),
    targetPorts: byPort(({ port, targetPort = port }) => targetPort),
    readyPorts,
    ...(isLarge(service) ? { isLarge: true } : {}),
  };
}

/**
 * The TCP ports of a slice that has a ready endpoint. It is ready unless it says otherwise.
 * @see https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#conditions
 */
function readyPorts({ endpoints, ports }: V1EndpointSlice): ReadyPort[] {
  if (!(endpoints ?? []).some(({ conditions }) => conditions?.ready !== false)) {
    return [];
  }
  return (ports ?? []).flatMap(({ name = "", port, protocol = "TCP" }) =>
    port === undefined || protocol !== "TCP" ? [] : [{ name, port }],
  );
}

function keyOf({ metadata }: KubernetesObject): string {
  return serviceKey(metadata?.namespace ?? "", metadata?.name ?? "");
}
