import type { Member, Settings } from "../config/settings.ts";
import { namespaceName, routedPort, serviceName } from "../naming/names.ts";
import { type ClusterSnapshot, serviceKey } from "./snapshot.ts";

/** Whether a member's path can be opened. One who is to have none is ready without it. */
export type Readiness =
  | { readonly state: "ready" }
  | { readonly state: "pending" | "suspended"; readonly reason: string };

/** Decides whether a member's path opens: they are to have one, and their Service is fit. */
export function readinessOf(
  member: Member,
  { route }: Pick<Settings, "route">,
  snapshot: Pick<ClusterSnapshot, "services">,
): Readiness {
  if (member.standing !== "active") {
    const reason = member.standing === "expired" ? `expired: the last day was ${member.expires}` : "suspended";
    return { state: "suspended", reason };
  }
  if (member.route === undefined) {
    return { state: "ready" };
  }
  return serviceReadiness(member, routedPort(route), snapshot);
}

/**
 * Whether a path can lead to a member's Service. An Ingress whose Service is missing makes the controller drop other
 * members' connections, and one whose Service points elsewhere lets a member borrow the controller's reach; so it takes
 * a Service that balances over pods of their own, on the port that the path leads to.
 */
export function serviceReadiness(
  member: Pick<Member, "name">,
  port: number,
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
  if (!service.hasSelector) {
    return pending(`Service '${name}' has no selector`);
  }
  if (service.clusterIP === "None") {
    return pending(`Service '${name}' is headless (clusterIP: None)`);
  }
  if (!service.ports.includes(port)) {
    return pending(`Service '${name}' has no TCP port ${port} (it has ${service.ports.join(", ") || "none"})`);
  }
  return { state: "ready" };
}
