import type { V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import type { Member } from "../../config/member/member.ts";
import { appliedAnnotation } from "../../config/names/labels.ts";
import { namespaceName, routedPort, routedPortName, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { serviceKey } from "../kinds/objectName.ts";
import { writtenByMembers } from "./managedObjects.ts";
import type { LiveService, ReadyPort } from "./snapshot.ts";

/** Label of an EndpointSlice with the name of its Service. */
const serviceNameLabel = "kubernetes.io/service-name";

/**
 * Services by `serviceKey`, with the fields that decisions need.
 * @param slices EndpointSlices of the same cluster; empty if no route depends on them
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
      const key = serviceKey(service.metadata?.namespace ?? "", service.metadata?.name ?? "");
      return [key, liveService(service, (slicesOf.get(key) ?? []).flatMap(readyPorts))];
    }),
  );
}

/**
 * Whether a route depends on EndpointSlices: it requires ready pods, or its Service is headless, so that only pods can
 * answer.
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

/** Key of the routed port in a Service's ports. */
export const routedPortKey = ({ route }: Pick<Settings, "route">) => `${routedPort(route)}/TCP`;

/**
 * A port of the Service that conflicts with the routed one; undefined if there is none. Ports are merged by number and
 * protocol, so the routed port joins the others, and each then needs a name of its own.
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
 * A Service without a cluster IP: its name resolves to its pods.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#headless-services
 */
export function isHeadless({
  type = "ClusterIP",
  clusterIP,
}: Partial<Pick<LiveService, "type" | "clusterIP">>): boolean {
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
    applied: metadata?.annotations?.[appliedAnnotation],
    externalName: spec?.externalName,
    terminating: metadata?.deletionTimestamp !== undefined,
    type: spec?.type ?? "ClusterIP",
    clusterIP: spec?.clusterIP ?? "",
    selector: spec?.selector ?? {},
    ports: ports.filter(({ protocol }) => protocol === "TCP").map(({ port }) => port),
    portNames: byPort(({ name = "" }) => name),
    targetPorts: byPort(({ port, targetPort = port }) => targetPort),
    readyPorts,
    ...writtenByMembers(service),
  };
}

/**
 * TCP ports of a slice with a ready endpoint. An endpoint without the condition counts as ready.
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
