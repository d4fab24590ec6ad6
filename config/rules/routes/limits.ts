import { controllers, type IngressController } from "../../model/routes/controllers.ts";
import type { limitKeys, RouteLimits } from "../../model/routes/route.ts";
import type { Valid } from "../../schema/issues.ts";

/**
 * Why a limit can't be had; undefined if it can.
 * @param controller undefined for a Gateway
 */
export function noLimit(
  key: (typeof limitKeys)[number],
  limits: Valid<RouteLimits>,
  controller: IngressController | undefined,
): string | undefined {
  if (controller === undefined) {
    return atGateway[key];
  }
  const { by } = controllers[controller];
  const way = by[key];
  if (way === undefined) {
    return `can't be set for one Ingress with ${controller}; leave it out, and set it in the controller's configuration`;
  }
  return way === "always" && limits[key] === false
    ? `can't be off with ${controller}, which passes WebSockets on for every Ingress; leave it out`
    : undefined;
}

/** Limits that an HTTPRoute has no field for. @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
const atGateway: Partial<Readonly<Record<keyof RouteLimits, string>>> = {
  bodyMiB: "can't be set in an HTTPRoute; leave it out, and limit requests at the Gateway",
  websockets: "can't be set in an HTTPRoute; leave it out: the Gateway decides, by the Service's appProtocol",
};
