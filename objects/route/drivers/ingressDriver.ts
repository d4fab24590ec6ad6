import { portInTheWay } from "../../../cluster/read/services.ts";
import type { LiveService } from "../../../cluster/read/snapshot.ts";
import { serviceName } from "../../../config/names/names.ts";
import type { RoutePlace } from "../../../config/route/controllers/controller.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Unfit } from "../../declared.ts";
import { annotation, type Fields } from "../../field.ts";
import type { Door, RouteDriver, RoutePart } from "../driver.ts";
import { externalService } from "../externalService.ts";
import { ingress, ingressFields } from "../ingress.ts";
import type { IngressWays } from "../ingressWays.ts";

export interface IngressDriver extends RouteDriver, IngressWays {
  readonly caKey: IngressWays["caKey"];
}

function otherService(live: LiveService, settings: Settings): Unfit | undefined {
  if (live.type !== "ExternalName") {
    return { why: "type", type: live.type };
  }
  const port = portInTheWay(live, settings);
  return port === undefined ? undefined : { why: "port", port };
}

const annotationFields = (reported: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(reported).map(([key, what]) => [annotation(key), { what }]));

/** Routes that are Ingresses, in members' namespaces or beside their controller. */
export const ingressDrivers = (controller: string, ways: IngressWays): Readonly<Record<RoutePlace, IngressDriver>> => ({
  member: atHome(controller, ways),
  controller: besideController(ways),
});

/**
 * Each Ingress names the member's own Service, so that the controller knows its pods by their endpoints. Every controller has
 * objects of its own, so that two can serve a path at once.
 */
function atHome(controller: string, ways: IngressWays): IngressDriver {
  const { treatments = [], byService = [] } = ways;
  const possible = treatments.filter(({ features = [] }) => !features.every((feature) => byService.includes(feature)));
  const door: Door = {
    part: controller,
    kind: "Ingress",
    place: "home",
    name: () => controller,
    purpose: "door",
    build: (member, route, settings) => ingress(controller, { member, route, settings }, ways),
    fields: fieldsOf(ways),
  };
  return {
    ...ways,
    parts: [...possible.map((each) => ({ ...each, part: `${controller}-${each.part}` })), door],
    door,
    install,
  };
}

/** Each Ingress has a Service beside it that leads to the member's. */
function besideController(ways: IngressWays): IngressDriver {
  const service: RoutePart = {
    part: "service",
    kind: "Service",
    place: "controller",
    name: serviceName,
    purpose: "backend",
    build: (member, _, settings) => externalService(member, settings, ways),
    is: ({ spec }) => Object(spec).type === "ExternalName",
    fixedIn: (live, settings) => otherService(live as LiveService, settings),
  };
  const door: Door = {
    part: "ingress",
    kind: "Ingress",
    place: "controller",
    name: ({ name }) => name,
    purpose: "door",
    build: (member, route, settings) => ingress(member.name, { member, route, settings }, ways),
    // In another namespace it is another object, and no two may have the same path.
    replaced: { deleteBeforeReplace: true },
    fields: fieldsOf(ways),
  };
  const treatments = (ways.treatments ?? []).map((each) => ({ ...each, place: "controller" as const }));
  return { ...ways, parts: [...treatments, service, door], door, isPathExclusive: true, install };
}

const install = "install the ingress controller, or name the namespace where it is";

const fieldsOf = ({ reported = {} }: IngressWays): Fields => ({ ...ingressFields, ...annotationFields(reported) });
