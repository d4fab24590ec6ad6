import { serviceKey } from "../../cluster/kinds/objectName.ts";
import { isHeadless } from "../../cluster/read/services.ts";
import type { ClusterSnapshot, LiveService } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { namespaceName, routedPort, serviceName } from "../../config/names/names.ts";
import type { RouteNeeds } from "../../config/names/routeNeeds.ts";
import { sleepText } from "../../config/schedule.ts";
import type { Settings } from "../../config/settings.ts";
import { endingReason, isEnding } from "../live/ending.ts";
import { standsOpen, undecided } from "../live/openRoutes.ts";
import { uncheckedReason } from "../live/unread.ts";
import type { ManagedPlan } from "./managedService.ts";

/** Whether a member's path can be opened; `ready` for a member without a path. */
export type Readiness =
  | { readonly state: "ready" }
  | { readonly state: "pending" | "asleep" | "suspended"; readonly reason: string };

/** The same for a preview that could not read everything: a path of unknown state stays open or closed. */
export type Outlook = Readiness | { readonly state: "unknown"; readonly reason: string; readonly isOpen: boolean };

export const isOpening = (outlook: Outlook): boolean =>
  outlook.state === "ready" || (outlook.state === "unknown" && outlook.isOpen);

function closedReason({ standing, expires, leaves, isUnarchived }: Member): string {
  if (isUnarchived) {
    return "leaving, removed once archived";
  }
  if (leaves !== undefined) {
    return `leaving, removed on ${leaves}`;
  }
  return standing === "expired" ? `expired: the last day was ${expires}` : "suspended";
}

/** Decides whether a member's path opens: they are to have one, and their Service is fit, or will be after this run. */
export function routeReadiness(
  {
    member,
    service,
    obstacle,
  }: { readonly member: Member; readonly service: ManagedPlan | undefined; readonly obstacle: string | undefined },
  settings: Pick<Settings, "route">,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread" | "forgotten">,
): Outlook {
  if (member.standing === "asleep") {
    return { state: "asleep", reason: sleepText(member) };
  }
  if (member.standing !== "active") {
    return { state: "suspended", reason: closedReason(member) };
  }
  if (isEnding(member, snapshot)) {
    return { state: "pending", reason: endingReason(member, snapshot) };
  }
  if (member.route === undefined) {
    return { state: "ready" };
  }
  const unread = undecided(member, settings, snapshot);
  if (unread !== undefined) {
    return { state: "unknown", reason: uncheckedReason(snapshot, unread), isOpen: standsOpen(member, snapshot) };
  }
  const wanted: RouteNeeds = { port: routedPort(settings.route), requires: member.route.readiness.requires };
  const readiness = plannedReadiness(member, wanted, service, snapshot);
  return readiness.state === "ready" && obstacle !== undefined ? { state: "pending", reason: obstacle } : readiness;
}

function plannedReadiness(
  member: Member,
  wanted: RouteNeeds,
  plan: ManagedPlan | undefined,
  snapshot: Pick<ClusterSnapshot, "services">,
): Readiness {
  if (plan === undefined || ("service" in plan && plan.service.isIgnored === true)) {
    return serviceReadiness(member, wanted, snapshot);
  }
  if ("obstacle" in plan) {
    return { state: "pending", reason: plan.obstacle };
  }
  const { selector } = plan.service;
  const live = snapshot.services.get(serviceKey(namespaceName(member), serviceName(member)));
  return wanted.requires === "service" || (live !== undefined && isAnswered(live, wanted.port))
    ? { state: "ready" }
    : { state: "pending", reason: unanswered(member, { selector }, wanted.port) };
}

/**
 * Whether a path can lead to a member's Service. An Ingress to a missing Service makes the controller drop other members'
 * connections; one to a Service that points elsewhere lets a member borrow the controller's network access. So the Service
 * must balance over the member's own pods, on the port that the path leads to.
 */
export function serviceReadiness(
  member: Pick<Member, "name">,
  { port, requires }: RouteNeeds,
  snapshot: Pick<ClusterSnapshot, "services">,
): Readiness {
  const name = serviceName(member);
  const service = snapshot.services.get(serviceKey(namespaceName(member), name));
  const pending = (reason: string): Readiness => ({ state: "pending", reason });
  if (service === undefined) {
    return pending(`no Service '${name}' in namespace '${namespaceName(member)}'`);
  }
  if (service.terminating) {
    return pending(`Service '${name}' is being deleted`);
  }
  if (service.type !== "ClusterIP") {
    return pending(`Service '${name}' is of type ${service.type}, not ClusterIP`);
  }
  if (Object.keys(service.selector).length === 0) {
    return pending(`Service '${name}' has no selector`);
  }
  if (!service.ports.includes(port)) {
    return pending(`Service '${name}' has no TCP port ${port} (it has ${service.ports.join(", ") || "none"})`);
  }
  if (isHeadless(service)) {
    return headlessReadiness(member, port, service);
  }
  return requires === "service" || isAnswered(service, port)
    ? { state: "ready" }
    : pending(unanswered(member, service, port));
}

/** A headless Service's name resolves to its pods: it has no address, and no port but theirs. */
function headlessReadiness(member: Pick<Member, "name">, port: number, service: LiveService): Readiness {
  const answering = readyPortsFor(service, port).map((ready) => ready.port);
  if (answering.includes(port)) {
    return { state: "ready" };
  }
  const subject = `Service '${serviceName(member)}' is headless (clusterIP: None)`;
  return {
    state: "pending",
    reason:
      answering.length === 0
        ? `${subject}, and ${unanswered(member, service, port)}`
        : `${subject}, and its pods answer on port ${answering.join(", ")} instead of ${port}; ` +
          "have them listen there, or make the Service anew without clusterIP: None",
  };
}

/** Whether a ready pod is behind a port of a Service: the port's name finds it in an EndpointSlice. */
function isAnswered(service: LiveService, port: number): boolean {
  return readyPortsFor(service, port).length > 0;
}

function readyPortsFor({ portNames, readyPorts }: LiveService, port: number) {
  return readyPorts.filter(({ name }) => name === portNames[`${port}/TCP`]);
}

function unanswered(member: Pick<Member, "name">, { selector }: Pick<LiveService, "selector">, port: number): string {
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  return (
    `no pod behind port ${port} of Service '${serviceName(member)}' is ready; ` +
    `see 'kubectl get pods -n ${namespaceName(member)} -l ${labels.join(",")}'`
  );
}
