import type { ObjectName } from "../../../cluster/snapshot.ts";
import type { Member, PlannedRoute, RouteKind, Settings } from "../../../config/settings.ts";
import { gatewayRoute } from "./gatewayRoute.ts";
import { ingressRoute } from "./ingressRoute.ts";

/** One object of a member's route. */
export interface RouteObject {
  /** What follows `<member>/route/` in its logical name, which never changes. */
  readonly part: "service" | "ingress" | "middleware" | "transport" | "http" | "backend-tls" | "backend-ca";
  readonly apiVersion: string;
  readonly kind: ObjectName["kind"];
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

const routes: Readonly<Record<RouteKind, (member: Member, route: PlannedRoute, settings: Settings) => RouteObject[]>> =
  {
    ingress: ingressRoute,
    gateway: gatewayRoute,
  };

/** Everything that a member's open route consists of, each object after those that it refers to. */
export function routeObjects(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  return routes[settings.route.kind](member, route, settings);
}
