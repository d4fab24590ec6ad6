import { isKindOfRoute } from "../../cluster/kinds/stackKinds.ts";
import { featuresOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import type { RoutePart } from "./driver.ts";

/** Parts that an open route has, of those of a driver. @param path default: any path of the stack's routes */
export function usedIn(parts: readonly RoutePart[], settings: Pick<Settings, "route">, path?: string): RoutePart[] {
  const asked = featuresOf(settings.route, path);
  return parts.filter(
    ({ kind, features }) =>
      isKindOfRoute(kind, settings, path) && features?.some((feature) => asked.includes(feature)) !== false,
  );
}
