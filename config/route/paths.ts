import { type Candidate, hasClearHostPath, type RulesContext } from "../rule.ts";
import { type RawMistake, valueMistake } from "../values/mistakes.ts";
import { type MemberRoute, routeOf } from "./route.ts";

/**
 * A host, or a segment of a path; `first` is the index of the first member at it or below, `owner` that of the one at
 * it.
 */
interface Segment {
  readonly below: Map<string, Segment>;
  readonly first: number;
  owner?: number;
}

/**
 * Mistakes: public paths on one host that are equal or nested, since requests for one could reach the other. `/bob` and
 * `/bobby` don't conflict: paths are compared by segment, as an Ingress with pathType Prefix does. Only members with a
 * route of their own are reported, because the other paths differ as the names do.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types
 */
export function pathFindings(candidates: readonly Candidate[], { entry: stack, nameOf }: RulesContext): RawMistake[] {
  const hosts = new Map<string, Segment>();
  const names = new Set<string>();
  const findings: RawMistake[] = [];
  const routes = candidates.flatMap((candidate) => {
    const { index, entry } = candidate;
    const { member, route: own, ...rest } = entry;
    if (member === undefined || !hasClearHostPath(candidate) || names.has(member)) {
      return [];
    }
    names.add(member);
    const route = routeOf({ ...rest, member, route: own }, stack);
    return route === undefined
      ? []
      : [
          {
            index,
            route,
            key: own === undefined || own === false ? undefined : own.path === undefined ? "host" : "path",
          },
        ];
  });
  for (const { index, route } of routes.filter(({ key }) => key === undefined)) {
    firstMet(hosts, route, index);
  }
  for (const { index, route, key } of routes) {
    if (key === "path" && route.path === "/" && route.host === stack.route?.host) {
      const reported =
        "would be everybody's path; choose one such as /bob, or give the member a host of their own as well";
      findings.push(valueMistake(["members", index, "route", key], `${route.host}/`, reported));
      continue;
    }
    const clash = key === undefined ? undefined : firstMet(hosts, route, index);
    if (key !== undefined && clash !== undefined) {
      findings.push(
        valueMistake(
          ["members", index, "route", key],
          route.host + route.path,
          `${clash.how} ${nameOf(clash.with)}; paths must be apart`,
        ),
      );
    }
  }
  return findings;
}

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
