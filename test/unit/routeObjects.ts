import { kinds } from "../../cluster/kinds/kinds.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { PlannedRoute } from "../../config/model/routes/route.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { partsOf } from "../../plan/routes/drivers/drivers.ts";

/** All objects that a member's open route consists of, each after those that it refers to. */
export const routeObjects = (member: Member, route: PlannedRoute, settings: Settings) =>
  partsOf(settings, route.path).map(({ part, kind, build }) => {
    const { apiVersion } = kinds[kind];
    return { part, apiVersion, kind, ...build(member, route, settings) };
  });
