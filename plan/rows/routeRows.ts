import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { PlannedRoute } from "../../config/route/memberRoute.ts";
import { serversOf } from "../../config/route/route.ts";
import type { RoutePart } from "../../objects/route/driver.ts";
import { partsBy, routeParts } from "../../objects/route/drivers/drivers.ts";
import type { MemberFacts, Row } from "./row.ts";

/** Row for a part of an open route: each after the part before it, the first after all objects that the parts refer to. */
function ofRoute(route: RoutePart): Row<MemberFacts> {
  const { part, kind, place, name, purpose, is, fixedIn, replaced } = route;
  // A route comes and goes. For kinds that members write, `routeObstacle` says what is in the way.
  const isMarked = place === "home" && !isWrittenByMembers({ kind });
  return {
    part: `route/${part}`,
    kind,
    place,
    name: ({ member }) => name(member),
    // Pulumi deletes each itself, before the namespace: so a path closes first, and some parts are elsewhere.
    lifetime: "own",
    after: (there) => {
      const before = there("route/*");
      return before.length === 0 ? there("namespace", "service", "access/backend-ca") : before.slice(-1);
    },
    ...(is === undefined ? {} : { is }),
    ...(isMarked ? { oursBy: "mark" as const } : {}),
    ...(fixedIn === undefined ? {} : { fixedIn }),
    ...(place === "home" ? {} : { others: purpose === "treatment" ? ("none" as const) : ("named" as const) }),
    ...(replaced === undefined ? {} : { replaced }),
    made: ({ member, settings, servers = serversOf(settings) }) =>
      partsBy(servers, member.route?.path)
        .filter((each) => each.part === part)
        // Only called for a member with a route; for others, only the names are used.
        .map(({ build, server }) => ({ build: () => build(member, member.route as PlannedRoute, server) })),
  };
}

export const routeRows: readonly Row<MemberFacts>[] = routeParts.map(ofRoute);
