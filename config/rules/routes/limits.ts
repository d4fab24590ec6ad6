import { controllers, type IngressController, type limitKeys } from "../../model/controllers.ts";
import type { RouteLimits } from "../../model/settings.ts";
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
    return `is nothing that ${controller} can be told for an Ingress; leave it out, and set it in the controller's configuration`;
  }
  return way === "always" && limits[key] === false
    ? `is nothing that ${controller} does: it passes WebSockets on, for every Ingress; leave it out`
    : undefined;
}

/** Limits that an HTTPRoute has no field for. @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
const atGateway: Partial<Readonly<Record<keyof RouteLimits, string>>> = {
  bodyMiB: "is nothing that an HTTPRoute can say; leave it out, and limit requests at the Gateway",
  websockets: "is nothing that an HTTPRoute can say; leave it out: the Gateway decides, by the Service's appProtocol",
};
