import type { Member, PlannedRoute, RouteKind, Settings } from "../../../config/settings.ts";
import { gatewayRoute } from "./gatewayRoute.ts";
import { ingressRoute } from "./ingressRoute.ts";
import type { RouteObject } from "./routeObject.ts";

const routes: Readonly<Record<RouteKind, (member: Member, route: PlannedRoute, settings: Settings) => RouteObject[]>> =
  {
    ingress: ingressRoute,
    gateway: gatewayRoute,
  };

/** Everything that a member's open route consists of, each object after those that it refers to. */
export function routeObjects(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  return routes[settings.route.kind](member, route, settings);
}
