import { controllers } from "../../../config/controllers.ts";
import type { Member, PlannedRoute, Settings } from "../../../config/settings.ts";
import { externalService } from "./externalService.ts";
import { ingress } from "./ingress.ts";
import type { RouteObject } from "./routeObject.ts";
import { middleware, serversTransport } from "./traefik.ts";

const traefik = "traefik.io/v1alpha1";

/** A route by an Ingress beside the controller. */
export function ingressRoute(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  const { controller, rewrite, backend } = settings.route;
  const { strip, https } = controllers[controller];
  const objects: RouteObject[] = [];
  if (rewrite === "strip" && strip?.by === "Middleware" && route.path !== "/") {
    const args = middleware(member, route, settings);
    objects.push({ part: "middleware", apiVersion: traefik, kind: "Middleware", ...args });
  }
  if (backend.protocol === "HTTPS" && https.by === "ServersTransport") {
    const args = serversTransport(member, settings);
    objects.push({ part: "transport", apiVersion: traefik, kind: "ServersTransport", ...args });
  }
  return [
    ...objects,
    { part: "service", apiVersion: "v1", kind: "Service", ...externalService(member, settings) },
    { part: "ingress", apiVersion: "networking.k8s.io/v1", kind: "Ingress", ...ingress(member, route, settings) },
  ];
}
