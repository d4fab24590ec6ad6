import { hasClearHostPath, type Rule } from "../rule.ts";
import type { Configuration } from "../settings.ts";
import { when } from "../values/maps.ts";
import { type Mistake, plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { memberPlaceholder, withMember } from "../values/placeholders.ts";
import { candidateRoutes } from "./memberRoute.ts";
import { isBeside } from "./route.ts";

export type Warning = Pick<Mistake, "path" | "message">;

/** DNS limits. @see https://datatracker.ietf.org/doc/html/rfc1035#section-2.3.4 */
const longestLabel = 63;

const longestName = 253;

/** Suffix that makes the name of cert-manager's Secret from a host. */
export const certificateSuffix = "-tls";

export const hostRule: Rule = ({ candidates, entry: { route = {} } }) => {
  const { host = "", tls, backendProtocol, backendTls: { serverName = "" } = {} } = route;
  const isPerMember = host.includes(memberPlaceholder);
  const isServerNamePerMember = backendProtocol === "HTTPS" && serverName.includes(memberPlaceholder);
  const isIssued = tls?.clusterIssuer !== undefined || tls?.issuer !== undefined;
  const longestHost = isIssued ? longestName - certificateSuffix.length : longestName;
  const tooLongHost = (path: PropertyKey[], name: string) =>
    when(name.length > longestHost, valueMistake(path, name, certificateRule(longestHost)));
  return [
    ...(isPerMember ? [] : tooLongHost(["route", "host"], host)),
    ...candidates.flatMap((candidate): RawMistake[] => {
      const { index, entry } = candidate;
      const { member, route: own } = entry;
      if (member === undefined || !hasClearHostPath(candidate) || own === false) {
        return [];
      }
      const made = (key: "host" | "backendTls.serverName", template: string, longest: number): RawMistake[] => {
        const name = withMember(template, member);
        const trouble = tooLong(name, longest);
        const path = ["members", index, "member"];
        const message: RawMistake["message"] = (show) =>
          `${show(member)} makes ${show(name)} of route.${key}, ${trouble}; ${ways[key]}`;
        return trouble === undefined ? [] : [{ path, message }];
      };
      return [
        ...(own?.host === undefined && isPerMember ? made("host", host, longestHost) : []),
        ...tooLongHost(["members", index, "route", "host"], own?.host ?? ""),
        ...(isServerNamePerMember ? made("backendTls.serverName", serverName, longestName) : []),
      ];
    }),
  ];
};

/** A ListenerSet with the certificate of a shared host would be one member's, and go with their route. */
export const ownHostRule: Rule = (all) => {
  const { also, ...route } = all.entry.route ?? {};
  const gateways = [
    { server: route, path: ["route", "tls"] },
    { server: also ?? {}, path: ["route", "also", "tls"] },
  ].filter(({ server: { kind, tls } }) => kind === "gateway" && tls !== undefined);
  if (gateways.length === 0 || !all.isKnown("route", "host")) {
    return [];
  }
  const byHost = Map.groupBy(candidateRoutes(all), ({ route: { host } }) => host);
  const [shared] =
    [...byHost].find(([name, on]) => name === route.host || new Set(on.map(({ member }) => member)).size > 1) ?? [];
  const why =
    `is for members with a host each, and ${shared} is shared: the Gateway's own listener has its certificate; leave tls ` +
    "out, or have {member} in route.host";
  return shared === undefined ? [] : gateways.map(({ path }) => plainMistake(path, why));
};

const ways = {
  host: "choose a shorter name, or give the member a route.host of their own",
  "backendTls.serverName": "choose a shorter name, or a shorter serverName",
};

const certificateRule = (most: number) =>
  `must have at most ${most} characters, so that '${certificateSuffix}' fits behind it in the name of its certificate`;

function tooLong(name: string, longest: number): string | undefined {
  const label = name.split(".").find(({ length }) => length > longestLabel);
  if (label !== undefined) {
    return `but one part has ${label.length} characters, and DNS allows ${longestLabel}`;
  }
  return name.length > longest ? `which has ${name.length} characters, and may have ${longest}` : undefined;
}

function sharedHost({ members }: Configuration): string | undefined {
  const hosts = members.flatMap((member) => member.route?.host ?? []);
  return hosts.find((host, at) => hosts.indexOf(host) < at);
}

/**
 * Warning about a cert-manager certificate beside the controller, on a host that members share: it belongs to the first
 * Ingress only, and is deleted when that route closes.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export function sharedCertificate(configuration: Configuration): Warning | undefined {
  const { route } = configuration.settings;
  const servers = [["route", route] as const, ["route.also", route.also] as const];
  const [at, server] = servers.find(([, each]) => each !== undefined && isBeside(each)) ?? [];
  const key = ["clusterIssuer", "issuer"].find((issuer) => issuer in (server?.tls ?? {}));
  const shared = sharedHost(configuration);
  const message =
    `on ${shared}, which members share, the certificate belongs to one member, and is deleted when their route closes; ` +
    `make it yourself, and set ${at}.tls.secretName (docs/run/routes.md)`;
  return key === undefined || shared === undefined ? undefined : { path: `${at}.tls.${key}`, message };
}

/**
 * Warning about a login on a host that members share: a page of one member's can read another's as whoever has signed in.
 * None if each path is for its member alone, since nobody else opens that page.
 */
export function sharedLogin(configuration: Configuration): Warning | undefined {
  const { login } = configuration.settings.route;
  const shared = sharedHost(configuration);
  const message =
    `on ${shared}, which members share, any member's page can read other members' pages as the visitor who has signed in; ` +
    "give each a host, with {member} in route.host (docs/run/login.md)";
  const isRead = login !== undefined && login.allow !== "member" && shared !== undefined;
  return isRead ? { path: "route.login", message } : undefined;
}
