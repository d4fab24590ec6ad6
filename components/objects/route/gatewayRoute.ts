import type { Member, PlannedRoute, Settings } from "../../../config/settings.ts";
import { backendCa } from "./backendCa.ts";
import { backendTlsPolicy } from "./backendTlsPolicy.ts";
import { httpRoute } from "./httpRoute.ts";
import type { RouteObject } from "./routeObject.ts";

const apiVersion = "gateway.networking.k8s.io/v1";

/** A route at a shared Gateway: all of it in the member's namespace, beside the Service that it leads to. */
export function gatewayRoute(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  const { protocol, ca } = settings.route.backend;
  const objects: RouteObject[] = [
    { part: "http", apiVersion, kind: "HTTPRoute", ...httpRoute(member, route, settings) },
  ];
  if (protocol === "HTTPS") {
    // Before the route, so that no request goes to the Service's HTTPS port without TLS.
    objects.unshift({
      part: "backend-tls",
      apiVersion,
      kind: "BackendTLSPolicy",
      ...backendTlsPolicy(member, settings),
    });
  }
  if (protocol === "HTTPS" && ca !== undefined) {
    objects.unshift({ part: "backend-ca", apiVersion: "v1", kind: "ConfigMap", ...backendCa(member, ca, settings) });
  }
  return objects;
}
