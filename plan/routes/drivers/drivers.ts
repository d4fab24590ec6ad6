import { isOfRoute } from "../../../cluster/kinds/stackKinds.ts";
import type { ObjectName } from "../../../cluster/read/snapshot.ts";
import type { IngressController } from "../../../config/model/controllers.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { namespaceName } from "../../../naming/names.ts";
import { contour } from "./contour.ts";
import type { Door, RouteDriver, RoutePart } from "./driver.ts";
import { gateway } from "./gateway.ts";
import { haproxy } from "./haproxy.ts";
import { ingressNginx } from "./ingressNginx.ts";
import { traefik } from "./traefik.ts";

/** What knows all there is to each ingress controller's routes. */
export const controllerDrivers = {
  "ingress-nginx": ingressNginx,
  traefik,
  haproxy,
  contour,
} satisfies Readonly<Record<IngressController, RouteDriver>>;

/** All kinds of routes. */
export const drivers: readonly RouteDriver[] = [...Object.values(controllerDrivers), gateway];

/** What makes the routes of a stack. */
export const driverOf = ({ route }: Pick<Settings, "route">): RouteDriver =>
  route.kind === "gateway" ? gateway : controllerDrivers[route.controller];

/** Every object that any route can be made of, each after what it refers to. */
export const routeParts: readonly RoutePart[] = allParts();

function allParts(): RoutePart[] {
  const all: RoutePart[] = [];
  for (const { parts } of drivers) {
    // What a driver has of its own goes before what it shares with others.
    let next = all.length;
    for (const part of parts.toReversed()) {
      const index = all.findIndex((other) => other.part === part.part);
      if (index === -1) {
        all.splice(next, 0, part);
      } else {
        next = index;
      }
    }
  }
  return all;
}

/**
 * What an open route is made of, each after what it refers to.
 * @param path the member's; default: any that routes of this stack can have
 */
export const partsOf = (settings: Pick<Settings, "route">, path?: string): RoutePart[] =>
  driverOf(settings).parts.filter(({ kind }) => isOfRoute(kind, settings, path));

/** What a part of a member's route is called. */
export const objectOf = (
  { kind, name, place }: Pick<RoutePart, "kind" | "name" | "place">,
  member: Pick<Member, "name">,
  { route }: { readonly route: Pick<Settings["route"], "namespace"> },
): ObjectName => ({
  kind,
  name: name(member),
  namespace: place === "home" ? namespaceName(member) : route.namespace,
});

/** The objects that have members' paths, one of each kind. */
export const doors: readonly Door[] = [...new Map(drivers.map(({ door }) => [door.kind, door])).values()];

/** Whether objects of a kind have members' paths. */
export const isDoor = ({ kind }: { readonly kind: string }): boolean => doors.some((door) => door.kind === kind);
