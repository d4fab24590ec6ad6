import type { Rule } from "../rule.ts";
import { type RawMistake, valueMistake } from "../values/mistakes.ts";
import { candidateRoutes, type MemberRoute } from "./memberRoute.ts";

/** A host, or a segment of a path. `first` is the member at it or below, `owner` the one at it, by index. */
interface Segment {
  readonly below: Map<string, Segment>;
  readonly first: number;
  owner?: number;
}

/**
 * `/bob` and `/bobby` don't conflict: paths are compared by segment, as an Ingress with pathType Prefix does. Only members
 * with a route of their own are reported, because the other paths differ as the names do.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types
 */
export const pathRule: Rule = (all) => {
  const hosts = new Map<string, Segment>();
  // Two members with one name are reported elsewhere.
  const routes = [...Map.groupBy(candidateRoutes(all), ({ member }) => member).values()].flatMap(
    ([first]) => first ?? [],
  );
  for (const { index, route } of routes.filter(({ own }) => own === undefined)) {
    firstMet(hosts, route, index);
  }
  return routes.flatMap(({ index, route, own }): RawMistake[] => {
    if (own === undefined) {
      return [];
    }
    const at = ["members", index, "route", own.path === undefined ? "host" : "path"];
    if (own.path !== undefined && route.path === "/" && route.host === all.entry.route?.host) {
      const why = "would be everybody's path; choose one such as /bob, or give the member a host of their own as well";
      return [valueMistake(at, `${route.host}/`, why)];
    }
    const clash = firstMet(hosts, route, index);
    return clash === undefined
      ? []
      : [valueMistake(at, route.host + route.path, `${clash.how} ${all.nameOf(clash.with)}; paths must be apart`)];
  });
};

/** Adds a path to its host; returns the first path that it conflicts with. */
function firstMet(
  hosts: Map<string, Segment>,
  { host, path }: MemberRoute,
  index: number,
): { how: string; with: number } | undefined {
  const child = (segments: Map<string, Segment>, key: string): Segment => {
    const known = segments.get(key) ?? { below: new Map(), first: index };
    segments.set(key, known);
    return known;
  };
  const segments = [host, ...path.split("/").filter((segment) => segment !== "")];
  let at: Segment = { below: hosts, first: index };
  for (const [depth, segment] of segments.entries()) {
    at = child(at.below, segment);
    if (at.owner !== undefined) {
      const how = depth === segments.length - 1 ? "is the path of" : "lies within the path of";
      return { how, with: at.owner };
    }
  }
  at.owner = index;
  return at.first === index ? undefined : { how: "contains the path of", with: at.first };
}
