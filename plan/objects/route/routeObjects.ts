import { kinds } from "../../../cluster/kinds/kinds.ts";
import { kindsOfRoute } from "../../../cluster/kinds/routeKinds.ts";
import type { KindOfRoute } from "../../../cluster/kinds/stackKinds.ts";
import type { Member, PlannedRoute, Settings } from "../../../config/model/settings.ts";
import { backendCa } from "./backendCa.ts";
import { backendTlsPolicy } from "./backendTlsPolicy.ts";
import { externalService } from "./externalService.ts";
import { httpRoute } from "./httpRoute.ts";
import { ingress } from "./ingress.ts";
import type { RouteObject } from "./routeObject.ts";
import { middleware, serversTransport } from "./traefik.ts";

type Builder = (member: Member, route: PlannedRoute, settings: Settings) => Pick<RouteObject, "metadata">;

const parts: Readonly<Record<KindOfRoute, readonly [RouteObject["part"], Builder]>> = {
  BackendTLSPolicy: ["backend-tls", (member, _, settings) => backendTlsPolicy(member, settings)],
  ConfigMap: ["backend-ca", (member, _, settings) => backendCa(member, settings)],
  HTTPRoute: ["http", httpRoute],
  Ingress: ["ingress", ingress],
  Middleware: ["middleware", middleware],
  ServersTransport: ["transport", (member, _, settings) => serversTransport(member, settings)],
  Service: ["service", (member, _, settings) => externalService(member, settings)],
};

/** One of the objects that a member's open route consists of. */
export function routeObject(kind: KindOfRoute, member: Member, route: PlannedRoute, settings: Settings) {
  const [, build] = parts[kind];
  return build(member, route, settings);
}

/** All of them, each after those that it refers to. */
export function routeObjects(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  return kindsOfRoute(settings, route.path).map((kind) => {
    const [part] = parts[kind];
    return { part, apiVersion: kinds[kind].apiVersion, kind, ...routeObject(kind, member, route, settings) };
  });
}
