import type { ObjectName } from "../../../cluster/kinds/objectName.ts";
import type { Member } from "../../../config/member/member.ts";
import { backendCaSecretName, namespaceName } from "../../../config/names/names.ts";
import { controllers, type IngressController, ingressControllers } from "../../../config/route/controllers.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Fields } from "../../field.ts";
import { sharedMetadata } from "../../metadata.ts";
import { type Door, type RouteDriver, type RoutePart, usedIn } from "../driver.ts";
import { gateway } from "./gateway.ts";
import { type IngressDriver, ingressDriver } from "./ingressDriver.ts";
import { traefik } from "./traefik.ts";

/** Drivers of controllers that take resources of their own. */
const own: { readonly [C in IngressController]?: IngressDriver } = { traefik };

/** Drivers of the ingress controllers' routes. */
export const controllerDrivers = Object.fromEntries(
  ingressControllers.map((name) => [name, own[name] ?? ingressDriver(controllers[name])]),
) as Readonly<Record<IngressController, IngressDriver>>;

export const drivers: readonly RouteDriver[] = [...Object.values(controllerDrivers), gateway];

export const driverOf = ({ route }: Pick<Settings, "route">): RouteDriver =>
  route.kind === "gateway" ? gateway : controllerDrivers[route.controller];

/** Every object that any route can consist of, each after those that it refers to. */
export const routeParts: readonly RoutePart[] = allParts();

function allParts(): RoutePart[] {
  const all: RoutePart[] = [];
  for (const { parts } of drivers) {
    // Parts of one driver go before those that it shares with others.
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

/** Parts of an open route, each after those that it refers to. @param path default: any path of the stack's routes */
export const partsOf = (settings: Pick<Settings, "route">, path?: string): RoutePart[] =>
  usedIn(driverOf(settings).parts, settings, path);

/** Name of a part of a member's route. */
export const objectOf = (
  { kind, name, place }: Pick<RoutePart, "kind" | "name" | "place">,
  member: Pick<Member, "name">,
  { route }: { readonly route: Pick<Settings["route"], "namespace"> },
): ObjectName => ({
  kind,
  name: name(member),
  namespace: place === "home" ? namespaceName(member) : route.namespace,
});

export const doors: readonly Door[] = [...new Map(drivers.map(({ door }) => [door.kind, door])).values()];

export const isDoor = ({ kind }: { readonly kind: string }): boolean => doors.some((door) => door.kind === kind);

export const routeFields: Readonly<Record<string, Fields>> = Object.fromEntries(
  [
    ...Map.groupBy(
      drivers.flatMap(({ parts }) => parts),
      ({ kind }) => kind,
    ),
  ].map(([kind, parts]) => [kind, Object.fromEntries(parts.flatMap(({ fields = {} }) => Object.entries(fields)))]),
);

/**
 * The CA of members' Services for Ingresses: one Secret for all, beside the controller. Undefined if there is nothing to
 * verify, and for a Gateway, which reads the CA in each member's namespace instead.
 * @see https://kubernetes.io/docs/concepts/configuration/secret/#opaque-secrets
 */
export function backendCaSecret(settings: Settings) {
  const { namespace, backend } = settings.route;
  const { caKey } = driverOf(settings);
  if (caKey === undefined || backend.protocol !== "HTTPS" || backend.ca === undefined) {
    return undefined;
  }
  return {
    metadata: { ...sharedMetadata(backendCaSecretName(settings), settings), namespace },
    type: "Opaque",
    data: { [caKey]: Buffer.from(backend.ca).toString("base64") },
  };
}
