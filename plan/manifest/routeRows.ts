import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { PlannedRoute } from "../../config/model/settings.ts";
import type { RoutePart } from "../routes/drivers/driver.ts";
import { partsOf, routeParts } from "../routes/drivers/drivers.ts";
import type { MemberFacts, Row } from "./row.ts";

/** One of what a member's open route is made of: each after the one before it, and the first after what any of them refers to. */
function ofRoute(route: RoutePart): Row<MemberFacts> {
  const { part, kind, place, name, purpose, is, reference, fixedIn, replaced } = route;
  // A route comes and goes. Of what members write themselves, the driver says what stands in its way.
  const isMarked = place === "home" && !isWrittenByMembers({ kind });
  return {
    part: `route/${part}`,
    kind,
    place,
    name: ({ member }) => name(member),
    // Most of it is in another namespace, where Pulumi's state is what finds it.
    lifetime: "own",
    after: (there) => {
      const before = there("route/*");
      return before.length === 0 ? there("namespace", "service", "access/backend-ca") : before.slice(-1);
    },
    ...(is === undefined ? {} : { is }),
    ...(isMarked ? { oursBy: "mark" as const } : {}),
    ...(fixedIn === undefined ? {} : { fixedIn }),
    ...(place === "home" ? {} : { others: purpose === "treatment" ? ("none" as const) : ("named" as const) }),
    ...(reference === undefined ? {} : { vouchedBy: (other) => other.kind === reference.from }),
    ...(replaced === undefined ? {} : { replaced }),
    made: ({ member, settings }) =>
      partsOf(settings, member.route?.path)
        .filter((each) => each.part === part)
        .map(({ build }) => ({
          // Of one who is to have no route, nobody asks for more than the names that it would have.
          build: () => build(member, member.route as PlannedRoute, settings),
          // Of the Services beside an ingress controller no run marks what it has applied.
          marked: purpose === "backend" ? "named" : "whole",
        })),
  };
}

/** What the drivers' routes can be made of. */
export const routeRows: readonly Row<MemberFacts>[] = routeParts.map(ofRoute);
