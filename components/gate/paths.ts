import { doorKinds, stackKinds } from "../../cluster/kinds/stackKinds.ts";
import type { MemberRoute } from "../../config/model/routes/route.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import type { RouteDriver } from "../../plan/routes/drivers/driver.ts";
import { driverOf } from "../../plan/routes/drivers/drivers.ts";
import { listOf, mapAt } from "./values.ts";

/** One host and path that a route catches; undefined stands for any. */
interface Opened {
  /** Field in the object, such as `spec.rules[0].http.paths[0]`. */
  readonly at: string;
  readonly host: string | undefined;
  readonly path: string | undefined;
}

/** Host paths of an Ingress, HTTPRoute or another route kind of the registry; none for other kinds. */
export function openedBy(
  kind: string,
  args: Readonly<Record<string, unknown>>,
  { route }: Pick<Settings, "route">,
): Opened[] {
  const spec = mapAt(args, "spec");
  switch (kind) {
    case "Ingress":
      return openedByIngress(spec, driverOf({ route }));
    case "HTTPRoute":
      return openedByHttpRoute(spec);
    default:
      return doorKinds
        .filter((each) => each === kind)
        .flatMap((each) => stackKinds[each].door?.hostPaths(spec) ?? [])
        .map(({ host, path }) => ({ at: "spec", host: hostOf(host), path }));
  }
}

function openedByIngress(
  { rules }: Readonly<Record<string, unknown>>,
  controller: Pick<RouteDriver, "caught">,
): Opened[] {
  return listOf(rules).flatMap((rule, index) => {
    const { host, http } = mapAt(rule);
    const at = `spec.rules[${index}]`;
    const paths = listOf(mapAt(http).paths);
    // Without paths, the controller decides which it catches.
    return paths.length === 0
      ? [{ at, host: hostOf(host), path: undefined }]
      : paths.map((path, nth) => ({
          at: `${at}.http.paths[${nth}]`,
          host: hostOf(host),
          path: ingressPath(mapAt(path), controller),
        }));
  });
}

function ingressPath(
  { path, pathType }: Readonly<Record<string, unknown>>,
  { caught }: Pick<RouteDriver, "caught">,
): string | undefined {
  if (typeof path !== "string") {
    return undefined;
  }
  return pathType === "ImplementationSpecific" ? caught?.(path) : path;
}

function openedByHttpRoute({ hostnames, rules }: Readonly<Record<string, unknown>>): Opened[] {
  const hosts = listOf(hostnames).length === 0 ? [undefined] : listOf(hostnames).map(hostOf);
  const matches = listOf(rules).flatMap((rule, index) => {
    const own = listOf(mapAt(rule).matches);
    const at = `spec.rules[${index}]`;
    // In the Gateway API, no match means every path.
    return own.length === 0
      ? [{ at, path: undefined }]
      : own.map((match, nth) => ({ at: `${at}.matches[${nth}]`, path: matchedPath(mapAt(match, "path")) }));
  });
  return hosts.flatMap((host) => matches.map((match) => ({ ...match, host })));
}

function matchedPath({ type, value }: Readonly<Record<string, unknown>>): string | undefined {
  return (type === "PathPrefix" || type === "Exact") && typeof value === "string" ? value : undefined;
}

/** Undefined for a wildcard, which stands for several hosts. */
const hostOf = (host: unknown) => (typeof host === "string" && /^[^*]+$/.test(host) ? host : undefined);

/** Whether a path equals another or lies within it, segment by segment. */
export const isBelow = (inner: MemberRoute, outer: MemberRoute) => placesAbove(inner).includes(placeOf(outer));

/** Owners of paths by host, and of the paths below them. */
export class Paths {
  readonly #owners = new Map<string, Map<string, MemberRoute>>();
  readonly #below = new Map<string, Map<string, MemberRoute>>();

  add(owner: string, route: MemberRoute): void {
    put(this.#owners, placeOf(route), owner, route);
    for (const place of placesAbove(route)) {
      put(this.#below, place, owner, route);
    }
  }

  /** Another member's path that equals this one, contains it or lies within it. */
  clash(owner: string, route: MemberRoute): { readonly owner: string; readonly route: MemberRoute } | undefined {
    const found = [...placesAbove(route).map((place) => this.#owners.get(place)), this.#below.get(placeOf(route))];
    const [other] = found.flatMap((routes) => [...(routes ?? [])].filter(([name]) => name !== owner).slice(0, 1));
    return other && { owner: other[0], route: other[1] };
  }
}

function put(map: Map<string, Map<string, MemberRoute>>, place: string, owner: string, route: MemberRoute): void {
  const routes = map.get(place) ?? new Map<string, MemberRoute>();
  map.set(place, routes.set(owner, route));
}

const segmentsOf = ({ host, path }: MemberRoute) => [host, ...path.split("/").filter((segment) => segment !== "")];
const placeOf = (route: MemberRoute) => segmentsOf(route).join("/");

/** The path itself and every path above it. */
function placesAbove(route: MemberRoute): string[] {
  const segments = segmentsOf(route);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
