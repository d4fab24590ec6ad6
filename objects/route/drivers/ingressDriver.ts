import { portInTheWay } from "../../../cluster/read/services.ts";
import type { LiveService } from "../../../cluster/read/snapshot.ts";
import { serviceName } from "../../../config/names/names.ts";
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

/** Routes that are Ingresses beside a controller, each with a Service that leads to the member's. */
export function ingressDriver(ways: IngressWays): IngressDriver {
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
    build: (member, route, settings) => ingress(member, route, settings, ways),
    // In another namespace it is another object, and no two may have the same path.
    replaced: { deleteBeforeReplace: true },
    fields: { ...ingressFields, ...annotationFields(ways.reported ?? {}) },
  };
  return {
    ...ways,
    parts: [...(ways.treatments ?? []), service, door],
    door,
    isPathExclusive: true,
    install: "install the ingress controller, or name the namespace where it is",
  };
}
