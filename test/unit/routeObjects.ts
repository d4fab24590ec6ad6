import { kinds } from "../../cluster/kinds/kinds.ts";
import type { Member } from "../../config/member/member.ts";
import type { PlannedRoute } from "../../config/route/memberRoute.ts";
import type { Settings } from "../../config/settings.ts";
import { partsOf } from "../../objects/route/drivers/drivers.ts";

/** All objects that a member's open route consists of, each after those that it refers to. */
export const routeObjects = (member: Member, route: PlannedRoute, settings: Settings) =>
  partsOf(settings, route.path).map(({ part, kind, build }) => {
    const { apiVersion } = kinds[kind];
    return { part, apiVersion, kind, ...build(member, route, settings) };
  });
