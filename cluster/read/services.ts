import type { V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import type { Member } from "../../config/member/member.ts";
import { appliedAnnotation } from "../../config/names/labels.ts";
import { namespaceName, routedPort, routedPortName, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { serviceKey } from "../kinds/objectName.ts";
import { writtenByMembers } from "./managedObjects.ts";
import type { LiveService, ReadyPort } from "./snapshot.ts";

const serviceNameLabel = "kubernetes.io/service-name";

/** By `serviceKey`. @param slices EndpointSlices of the same cluster; empty if no route depends on them */
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

/** Whether a route requires ready pods, or its Service is headless, so that only pods can answer. */
export function endpointsMatter(members: readonly Member[], services: ReadonlyMap<string, LiveService>): boolean {
  return members.some((member) => {
    const service = services.get(serviceKey(namespaceName(member), serviceName(member)));
    const routed = member.standing === "active" && member.route !== undefined;
    return (
      routed && (member.route.readiness.requires === "endpoints" || (service !== undefined && isHeadless(service)))
    );
  });
}

export const routedPortKey = ({ route }: Pick<Settings, "route">) => `${routedPort(route)}/TCP`;

/** A port that conflicts with the routed one: ports are merged by number and protocol, and each then needs a name. */
export function portInTheWay(
  { portNames }: Pick<LiveService, "portNames">,
  settings: Pick<Settings, "route">,
): string | undefined {
  const unnamed = ["", routedPortName(settings.route)];
  const [port] =
    Object.entries(portNames).find(([key, name]) => key !== routedPortKey(settings) && unnamed.includes(name)) ?? [];
  return port;
}

/** A Service without a cluster IP: its name resolves to its pods. */
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

/** TCP ports of a slice with a ready endpoint. An endpoint without the condition counts as ready. */
function readyPorts({ endpoints, ports }: V1EndpointSlice): ReadyPort[] {
  if (!(endpoints ?? []).some(({ conditions }) => conditions?.ready !== false)) {
    return [];
  }
  return (ports ?? []).flatMap(({ name = "", port, protocol = "TCP" }) =>
    port === undefined || protocol !== "TCP" ? [] : [{ name, port }],
  );
}
