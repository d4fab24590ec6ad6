import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { type DoorKind, type KindOfRoute, stackKind } from "../../cluster/kinds/stackKinds.ts";
import type { Found } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { RouteFeature, RouteReading } from "../../config/route/controllers/controller.ts";
import type { PlannedRoute } from "../../config/route/memberRoute.ts";
import { featuresOf, isBeside } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import type { Declared, ReplaceOptions, Unfit } from "../declared.ts";
import type { Fields } from "../field.ts";

/** An object that an open route can consist of. */
export interface RoutePart {
  /** Logical name after `<member>/route/`, which never changes. */
  readonly part: string;
  readonly kind: KindOfRoute;
  /** In the member's namespace, or beside the ingress controller or the Gateway. */
  readonly place: "home" | "controller" | "gateway";
  readonly name: (member: Pick<Member, "name">) => string;
  /** `door`: has the path. `backend`: leads to the Service. `treatment`: changes how requests are forwarded. */
  readonly purpose: "door" | "backend" | "treatment";
  /** @param settings as the route's server has them */
  readonly build: (member: Member, route: PlannedRoute, settings: Settings) => Declared;
  /** Features of a route that it serves. Default: it is in every route that takes its kind. */
  readonly features?: readonly RouteFeature[];
  /** Whether a live object of that name and kind is this one. Default: always. */
  readonly is?: (live: ApiObject) => boolean;
  /** For a treatment: the text by which another of the route's objects refers to it. */
  readonly reference?: (member: Member, settings: Settings) => string;
  /** For an object to take over: why it can't become as declared. Default: it can. */
  readonly fixedIn?: (live: Found, settings: Settings) => Unfit | undefined;
  /** How it is replaced. Default: as Pulumi does. */
  readonly replaced?: ReplaceOptions;
  readonly fields?: Fields;
}

/** The object that has a member's path. */
export interface Door extends RoutePart {
  readonly kind: DoorKind;
  readonly purpose: "door";
}

/** Everything specific to one kind of route: an ingress controller's, or a Gateway's. */
export interface RouteDriver extends RouteReading {
  /** Objects that its routes can consist of, each after those that it refers to. */
  readonly parts: readonly RoutePart[];
  readonly door: Door;
  /** Set if no two doors may have the same path, so that one gives it up before another gets it. */
  readonly isPathExclusive?: true;
  /** Advice for a missing `route.namespace`. */
  readonly install: string;
  /** Key in which the controller looks for a CA, in a Secret beside it. Default: there is no such Secret. */
  readonly caKey?: "ca.crt" | "tls.crt";
  /** Objects besides Ingresses that members may see: their own, and others'. */
  readonly visible?: {
    readonly apiGroups: string[];
    readonly own: string[];
    readonly others: string[];
  };
}

/** Namespace of a route's objects by these settings: the member's, or the controller's. */
export const routeNamespace = (member: Pick<Member, "name">, { route }: Pick<Settings, "route">): string =>
  isBeside(route) ? route.namespace : namespaceName(member);

/** Parts that an open route has, of those of a driver. @param path default: any path of the stack's routes */
export function usedIn(parts: readonly RoutePart[], { route }: Pick<Settings, "route">, path?: string): RoutePart[] {
  const asked = featuresOf(route, path);
  return parts.filter(
    ({ kind, features }) =>
      stackKind(kind).isOfRoute?.(route, path) === true &&
      features?.some((feature) => asked.includes(feature)) !== false,
  );
}
