import type { Member, PlannedRoute, Settings } from "../../../config/settings.ts";
import { externalService } from "./externalService.ts";
import { ingress } from "./ingress.ts";
import type { RouteObject } from "./routeObjects.ts";

/** A route by an Ingress beside the controller. */
export function ingressRoute(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  return [
    { part: "service", apiVersion: "v1", kind: "Service", ...externalService(member, settings) },
    { part: "ingress", apiVersion: "networking.k8s.io/v1", kind: "Ingress", ...ingress(member, route, settings) },
  ];
}
