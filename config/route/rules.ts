import type { Rule } from "../rule.ts";
import type { EntryOf } from "../values/issues.ts";
import { isMap, present, when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { memberPlaceholder } from "../values/placeholders.ts";
import type { RouteFeature } from "./controllers/controller.ts";
import { controllerChoices, controllers, type IngressController, type ServerName, serverUses } from "./controllers.ts";
import { type LimitKey, limitKeys, routeLimits } from "./limits.ts";
import { loginMistakes, serverNameOf } from "./loginRules.ts";
import {
  defaultRoute,
  isBeside,
  type RouteServer,
  type routeSchema,
  routeSettingsOf,
  secondOf,
  serverKeys,
} from "./route.ts";

type RouteEntry = EntryOf<typeof routeSchema>;

/**
 * What serves paths, as `route` or `route.also` names it, with the settings that both share. Invalid or encrypted keys
 * contradict nothing.
 */
interface ConfiguredServer extends Omit<RouteEntry, "also"> {
  readonly isKnown: (key: keyof RouteEntry) => boolean;
  /** For keys that are mistakes whatever their value, such as `backendTls.ca`. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly pathOf: (key: string) => readonly string[];
}

export const routeRule: Rule = ({ raw: settings, entry: { route }, isKnown }) => {
  const { route: raw } = settings;
  if (route === undefined || !isMap(raw)) {
    return [];
  }
  const { also, ...own } = route;
  const first: ConfiguredServer = {
    ...own,
    raw,
    isKnown: (key) => isKnown("route", key),
    pathOf: (key) => ["route", ...key.split(".")],
  };
  const second = also !== undefined && isMap(raw.also) ? secondServer(first, also, raw.also) : undefined;
  const names = [first, ...(second === undefined ? [] : [second])].map((each) => serverNameOf(each, each.isKnown));
  const [name, other] = names;
  return [
    ...serverMistakes(first, name),
    ...backendMistakes(first),
    ...sharedPathMistakes(first),
    ...(second === undefined ? [] : [...serverMistakes(second, other), ...sameServer(first, second, names)]),
    ...(own.login === undefined || names.includes(undefined)
      ? []
      : loginMistakes(own.login, present(names), settings, ["route", "login"])),
  ];
};

function secondServer(
  first: ConfiguredServer,
  also: NonNullable<RouteEntry["also"]>,
  raw: Readonly<Record<string, unknown>>,
): ConfiguredServer {
  const isOwn = (key: string) => serverKeys.some((own) => own === key);
  return {
    ...secondOf(first, also),
    raw: secondOf(first.raw, raw),
    isKnown: (key) =>
      isOwn(key) ? raw[key] === undefined || Reflect.get(also, key) !== undefined : first.isKnown(key),
    pathOf: (key) => (isOwn(key.split(".")[0] ?? "") ? ["route", "also", ...key.split(".")] : first.pathOf(key)),
  };
}

const serverMistakes = (server: ConfiguredServer, name: ServerName | undefined): RawMistake[] => [
  ...kindMistakes(server),
  ...tlsMistakes(server),
  ...(name === undefined ? [] : abilityMistakes(server, name)),
];

/** Two have to differ in the objects that have a path. */
function sameServer(
  first: ConfiguredServer,
  second: ConfiguredServer,
  [name, other]: readonly (ServerName | undefined)[],
): RawMistake[] {
  if (name === undefined || other === undefined) {
    return [];
  }
  if (name === other) {
    const key = name === "gateway" ? "kind" : "controller";
    return reported(second, key, `is what route has already; name another, or leave also out`);
  }
  const both = [first, second].map((server) => routeSettingsOf(server));
  const why = "has its Ingresses beside it, as route has: only one can; set place: member for one of them";
  return [...(both.every(isBeside) ? reported(second, "controller", why) : []), ...sameClass(first, second, both)];
}

/** A controller that takes the other's Ingress reads none of its annotations, so that it would ask for no login. */
function sameClass(first: ConfiguredServer, second: ConfiguredServer, both: readonly RouteServer[]): RawMistake[] {
  const [own, other] = both.map(({ kind, className }) => (kind === "ingress" ? className : undefined));
  const areKnown = [first, second].every(({ isKnown }) => isKnown("className"));
  if (own === undefined || own !== other || !areKnown) {
    return [];
  }
  const whose = (server: ConfiguredServer, at: string) =>
    reported(
      server,
      "className",
      `is that of ${at}, whose controller would serve both; name the class of ${server.controller}`,
    );
  return second.raw.className === undefined ? whose(first, "route.also") : whose(second, "route");
}

function reported({ raw, pathOf }: ConfiguredServer, key: string, message: string): RawMistake[] {
  const value = valueAt(raw, key.split(".")) ?? undefined;
  return value === undefined ? [] : [valueMistake(pathOf(key), value, message)];
}

/** A default would put a stack on software that nobody chose. */
const noServer = `is missing: set what your cluster has: kind: gateway (for ${serverUses.gateway}), or controller: ${controllerChoices}`;

function kindMistakes(configured: ConfiguredServer): RawMistake[] {
  const { kind = defaultRoute.kind, controller, isKnown, namespace, gateway, raw, pathOf } = configured;
  if (!isKnown("kind")) {
    return [];
  }
  if (kind === "ingress") {
    return [
      ...when(controller === undefined && isKnown("controller"), plainMistake(pathOf("controller"), noServer)),
      ...reported(configured, "gateway", "is for kind: gateway; leave it out, or set kind: gateway"),
    ];
  }
  const missing = (key: string, what: string) =>
    plainMistake(pathOf(key), `is missing: kind: gateway needs ${what}; set it, or leave kind out`);
  const noGateway = gateway === undefined && isKnown("gateway");
  const isNamed = valueAt(raw, ["gateway", "namespace"]) !== undefined;
  const nowhere = namespace === undefined && isKnown("namespace") && !isNamed;
  const useless = (key: string, why: string) => reported(configured, key, `is for kind: ingress; leave it out: ${why}`);
  return [
    ...(noGateway ? [missing("gateway", "the Gateway that routes are attached to")] : []),
    ...(nowhere ? [missing("namespace", "the namespace of the Gateway's pods")] : []),
    ...useless("controller", "a Gateway has its own"),
    ...useless("className", "a Gateway has its own"),
    ...useless("place", "HTTPRoutes are in members' namespaces"),
    ...(configured.tls === undefined
      ? []
      : reported(
          configured,
          "gateway.sectionName",
          "is one of the Gateway's own listeners, and tls gives each host one of its own; leave one of the two out",
        )),
  ];
}

const certificates = ["secretName", "clusterIssuer", "issuer"];

function tlsMistakes(configured: ConfiguredServer): RawMistake[] {
  const { tls } = configured.raw;
  if (!isMap(tls)) {
    return [];
  }
  const named = certificates.filter((key) => tls[key] !== undefined);
  if (Object.keys(tls).length === 0) {
    return reported(configured, "tls", "names no certificate; set one of secretName, clusterIssuer and issuer");
  }
  return named.length > 1 ? reported(configured, "tls", `has ${named.join(" and ")}; keep one of them`) : [];
}

function backendMistakes(configured: ConfiguredServer): RawMistake[] {
  const { backendProtocol = "HTTP", isKnown } = configured;
  return backendProtocol === "HTTP" && isKnown("backendProtocol")
    ? reported(configured, "backendTls", "is for backendProtocol: HTTPS; set that, or leave backendTls out")
    : [];
}

/** What it can't do for a route. */
const abilityMistakes = (configured: ConfiguredServer, name: ServerName): RawMistake[] => [
  ...(name === "gateway" ? [] : [...controllerMistakes(configured, name), ...placeMistakes(configured, name)]),
  ...limitMistakes(configured, name),
];

/** An Ingress in a member's namespace names the member's own Service, and nothing beside the controller. */
function placeMistakes(configured: ConfiguredServer, controller: IngressController): RawMistake[] {
  const { places, elsewhere = "", byService = [], certificateIn } = controllers[controller];
  const { place = places[0], host = "", isKnown, limits = {} } = configured;
  if (!isKnown("place")) {
    return [];
  }
  if (!places.includes(place)) {
    return reported(configured, "place", `is not for ${controller}: ${elsewhere}`);
  }
  if (place === "controller") {
    return [];
  }
  const beside = places.includes("controller") ? "; set place: controller, or leave it out" : "; leave it out";
  const ofService = `takes an annotation of the Service, which is the member's own with place: member${beside}`;
  const isRead = (feature: RouteFeature) => byService.includes(feature);
  const isIssued = isMap(configured.raw.tls) && configured.raw.tls.clusterIssuer !== undefined;
  return [
    ...(configured.backendProtocol === "HTTPS" && isRead("https")
      ? reported(configured, "backendProtocol", ofService)
      : []),
    ...limitKeys
      .filter((key) => limits[key] !== undefined && isRead(key))
      .flatMap((key) => reported(configured, `limits.${key}`, ofService)),
    ...(certificateIn === undefined
      ? reported(
          configured,
          "tls.secretName",
          `is beside the controller, and an Ingress with place: member can't name it; make it ${controller}'s default certificate, and leave tls out`,
        )
      : []),
    ...reported(configured, "tls.issuer", "issues in its own namespace alone, and place is member; set clusterIssuer"),
    ...(isIssued && isKnown("host") && !host.includes(memberPlaceholder)
      ? reported(
          configured,
          "tls.clusterIssuer",
          `would make a certificate for ${host} in each member's namespace; have {member} in route.host, or make it ${controller}'s default certificate, and leave tls out`,
        )
      : []),
  ];
}

/** An Ingress can use only features of its controller. */
function controllerMistakes(configured: ConfiguredServer, controller: IngressController): RawMistake[] {
  const { rewrite, backendProtocol, raw } = configured;
  const { by, verifies } = controllers[controller];
  const instead = "leave it out, or choose kind: gateway";
  const unverified = `is not verified by ${controller} for an Ingress; ${instead}`;
  const noCa = backendProtocol === "HTTPS" && isMap(raw.backendTls) && raw.backendTls.ca === undefined;
  const byCa = "is verified only with a CA; set backendTls.ca, or leave serverName out";
  const serverName = verifies.includes("name") ? noCa && byCa : unverified;
  return [
    ...(rewrite === "strip" && by.strip === undefined
      ? reported(configured, "rewrite", `is not supported by ${controller} for an Ingress; ${instead}`)
      : []),
    ...(verifies.includes("CA") ? [] : reported(configured, "backendTls.ca", unverified)),
    ...(serverName === false ? [] : reported(configured, "backendTls.serverName", serverName)),
  ];
}

function limitMistakes(configured: ConfiguredServer, name: ServerName): RawMistake[] {
  const { limits = {} } = configured;
  const noLimit = (key: LimitKey) => {
    if (name === "gateway") {
      return routeLimits[key].atGateway;
    }
    const { by } = controllers[name];
    if (by[key] === undefined) {
      return `can't be set for one Ingress with ${name}; leave it out, and set it in the controller's configuration`;
    }
    return by[key] === "always" && limits[key] === false
      ? `can't be off with ${name}, which passes WebSockets on for every Ingress; leave it out`
      : undefined;
  };
  return limitKeys.flatMap((key) => {
    const why = noLimit(key);
    return why === undefined ? [] : reported(configured, `limits.${key}`, why);
  });
}

function sharedPathMistakes(configured: ConfiguredServer): RawMistake[] {
  const { path, host } = configured;
  return path === "/" && host !== undefined && !host.includes(memberPlaceholder)
    ? reported(
        configured,
        "path",
        `would be everybody's path on ${host}; let it end in /{member}, or have {member} in host`,
      )
    : [];
}
