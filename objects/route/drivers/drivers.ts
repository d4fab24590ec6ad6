import type { ObjectName } from "../../../cluster/kinds/objectName.ts";
import type { Member } from "../../../config/member/member.ts";
import { backendCaSecretName, namespaceName } from "../../../config/names/names.ts";
import type { RoutePlace } from "../../../config/route/controllers/controller.ts";
import { controllers, type IngressController, ingressControllers } from "../../../config/route/controllers.ts";
import { besideGateway, type RouteServer, serversOf } from "../../../config/route/route.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Fields } from "../../field.ts";
import { sharedMetadata } from "../../metadata.ts";
import { type Door, type RouteDriver, type RoutePart, usedIn } from "../driver.ts";
import type { IngressWays } from "../ingressWays.ts";
import { gateway } from "./gateway.ts";
import { type IngressDriver, ingressDrivers } from "./ingressDriver.ts";
import { traefik } from "./traefik.ts";

/** Ways of controllers that take resources of their own. */
const own: { readonly [C in IngressController]?: IngressWays } = { traefik };

export const waysOf = (name: IngressController): IngressWays => own[name] ?? controllers[name];

const ofControllers = Object.fromEntries(
  ingressControllers.map((name) => [name, ingressDrivers(name, waysOf(name))]),
) as Readonly<Record<IngressController, Readonly<Record<RoutePlace, IngressDriver>>>>;

/** A controller's for each of its places: what they read is the same. */
export const drivers: readonly RouteDriver[] = [
  ...ingressControllers.flatMap((name) => controllers[name].places.map((place) => ofControllers[name][place])),
  gateway,
];

/** How one of those that serve members' paths does. */
export const driverOf = ({
  route,
}: {
  readonly route: Pick<RouteServer, "kind" | "controller" | "place">;
}): RouteDriver => (route.kind === "gateway" ? gateway : ofControllers[route.controller][route.place]);

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
export const partsOf = <S extends Pick<Settings, "route">>(settings: S, path?: string) =>
  partsBy(serversOf(settings), path);

export const partsBy = <S extends Pick<Settings, "route">>(servers: readonly S[], path?: string) =>
  servers.flatMap((server) => usedIn(driverOf(server).parts, server, path).map((part) => ({ ...part, server })));

/** Name of a part of a member's route. */
export const objectOf = (
  { kind, name, place }: Pick<RoutePart, "kind" | "name" | "place">,
  member: Pick<Member, "name">,
  settings: Pick<Settings, "route">,
): ObjectName => ({
  kind,
  name: name(member),
  namespace: { home: namespaceName(member), controller: settings.route.beside, gateway: besideGateway(settings) }[
    place
  ],
});

const isDoorPart = (part: RoutePart): part is Door => part.purpose === "door";

/** Every object that can have a path. */
export const doors: readonly Door[] = routeParts.filter(isDoorPart);

export const isDoor = ({ kind }: { readonly kind: string }): boolean => doors.some((door) => door.kind === kind);

const partsByKind = Map.groupBy(
  drivers.flatMap(({ parts }) => parts),
  ({ kind }) => kind,
);

export const routeFields: Readonly<Record<string, Fields>> = Object.fromEntries(
  [...partsByKind].map(([kind, parts]) => [
    kind,
    Object.fromEntries(parts.flatMap(({ fields = {} }) => Object.entries(fields))),
  ]),
);

/**
 * The CA of members' Services for Ingresses: one Secret for all, beside the controller. Undefined if there is nothing to
 * verify, and for a Gateway, which reads the CA in each member's namespace instead.
 * @see https://kubernetes.io/docs/concepts/configuration/secret/#opaque-secrets
 */
export function backendCaSecret(settings: Settings) {
  const { protocol, ca } = settings.route.backend;
  const keys = serversOf(settings).flatMap((server) => driverOf(server).caKey ?? []);
  if (keys.length === 0 || protocol !== "HTTPS" || ca === undefined) {
    return undefined;
  }
  return {
    metadata: { ...sharedMetadata(backendCaSecretName(settings), settings), namespace: settings.route.beside },
    type: "Opaque",
    data: Object.fromEntries(keys.map((key) => [key, Buffer.from(ca).toString("base64")])),
  };
}
