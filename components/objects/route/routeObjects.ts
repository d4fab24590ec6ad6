import type { ObjectName } from "../../../cluster/snapshot.ts";
import type { Member, PlannedRoute, Settings } from "../../../config/settings.ts";
import { externalService } from "./externalService.ts";
import { ingress } from "./ingress.ts";

/** One object of a member's route. */
export interface RouteObject {
  /** What follows `<member>/route/` in its logical name, which never changes. */
  readonly part: "service" | "ingress";
  readonly apiVersion: string;
  readonly kind: ObjectName["kind"];
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Everything that a member's open route consists of, each object after those that it refers to. */
export function routeObjects(member: Member, route: PlannedRoute, settings: Settings): RouteObject[] {
  return [
    { part: "service", apiVersion: "v1", kind: "Service", ...externalService(member, settings) },
    { part: "ingress", apiVersion: "networking.k8s.io/v1", kind: "Ingress", ...ingress(member, route, settings) },
  ];
}
