import type { Rule } from "../rule.ts";
import type { EntryOf } from "../values/issues.ts";
import { isMap, when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { memberPlaceholder } from "../values/placeholders.ts";
import { controllerChoices, controllers, type IngressController, type RouteMaker, routeMakers } from "./controllers.ts";
import { type LimitKey, limitKeys, routeLimits } from "./limits.ts";
import { loginMistakes, makerOf } from "./loginRules.ts";
import { defaultRoute, type routeSchema } from "./route.ts";

type RouteEntry = EntryOf<typeof routeSchema>;

/** The route that the rules below check. Invalid or encrypted keys contradict nothing. */
interface ConfiguredRoute extends RouteEntry {
  readonly isKnown: (key: keyof RouteEntry) => boolean;
  /** For keys that are mistakes whatever their value, such as `backendTls.ca`. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export const routeRule: Rule = (all) => {
  const { raw: settings, entry, isKnown } = all;
  const { route } = entry;
  const { route: raw } = settings;
  if (route === undefined || !isMap(raw)) {
    return [];
  }
  const configured: ConfiguredRoute = { ...route, isKnown: (key) => isKnown("route", key), raw };
  const maker = makerOf(all);
  return [
    ...kindMistakes(configured),
    ...tlsMistakes(configured),
    ...backendMistakes(configured),
    ...(maker === undefined ? [] : makerMistakes(configured, maker, settings)),
    ...sharedPathMistakes(configured),
  ];
};

function reported({ raw }: ConfiguredRoute, key: string, message: string): RawMistake[] {
  const path = key.split(".");
  const value = valueAt(raw, path) ?? undefined;
  return value === undefined ? [] : [valueMistake(["route", ...path], value, message)];
}

/** A default would put a stack on software that nobody chose. */
const noMaker = `is missing: set what your cluster has: kind: gateway (for ${routeMakers.gateway}), or controller: ${controllerChoices}`;

function kindMistakes(configured: ConfiguredRoute): RawMistake[] {
  const { kind = defaultRoute.kind, controller, isKnown, namespace, gateway, raw } = configured;
  if (!isKnown("kind")) {
    return [];
  }
  if (kind === "ingress") {
    return [
      ...when(controller === undefined && isKnown("controller"), plainMistake(["route", "controller"], noMaker)),
      ...reported(configured, "gateway", "is for kind: gateway; leave it out, or set kind: gateway"),
    ];
  }
  const missing = (key: string, what: string) =>
    plainMistake(["route", key], `is missing: kind: gateway needs ${what}; set it, or leave kind out`);
  const noGateway = gateway === undefined && isKnown("gateway");
  const isNamed = valueAt(raw, ["gateway", "namespace"]) !== undefined;
  const nowhere = namespace === undefined && isKnown("namespace") && !isNamed;
  const useless = (key: string, why: string) => reported(configured, key, `is for kind: ingress; leave it out: ${why}`);
  return [
    ...(noGateway ? [missing("gateway", "the Gateway that routes are attached to")] : []),
    ...(nowhere ? [missing("namespace", "the namespace of the Gateway's pods")] : []),
    ...useless("controller", "a Gateway has its own"),
    ...useless("className", "a Gateway has its own"),
    ...useless("tls", "the Gateway's listener has the certificate"),
  ];
}

const certificates = ["secretName", "clusterIssuer", "issuer"];

function tlsMistakes(configured: ConfiguredRoute): RawMistake[] {
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

function backendMistakes(configured: ConfiguredRoute): RawMistake[] {
  const { backendProtocol = "HTTP", isKnown } = configured;
  return backendProtocol === "HTTP" && isKnown("backendProtocol")
    ? reported(configured, "backendTls", "is for backendProtocol: HTTPS; set that, or leave backendTls out")
    : [];
}

/** What its maker can't do for a route. */
function makerMistakes(configured: ConfiguredRoute, maker: RouteMaker, settings: unknown): RawMistake[] {
  const { login } = configured;
  return [
    ...(maker === "gateway" ? [] : controllerMistakes(configured, maker)),
    ...limitMistakes(configured, maker),
    ...(login === undefined ? [] : loginMistakes(login, maker, settings, ["route", "login"])),
  ];
}

/** An Ingress can use only features of its controller. */
function controllerMistakes(configured: ConfiguredRoute, controller: IngressController): RawMistake[] {
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

function limitMistakes(configured: ConfiguredRoute, maker: RouteMaker): RawMistake[] {
  const { limits = {} } = configured;
  const noLimit = (key: LimitKey) => {
    if (maker === "gateway") {
      return routeLimits[key].atGateway;
    }
    const { by } = controllers[maker];
    if (by[key] === undefined) {
      return `can't be set for one Ingress with ${maker}; leave it out, and set it in the controller's configuration`;
    }
    return by[key] === "always" && limits[key] === false
      ? `can't be off with ${maker}, which passes WebSockets on for every Ingress; leave it out`
      : undefined;
  };
  return limitKeys.flatMap((key) => {
    const why = noLimit(key);
    return why === undefined ? [] : reported(configured, `limits.${key}`, why);
  });
}

function sharedPathMistakes(configured: ConfiguredRoute): RawMistake[] {
  const { path, host } = configured;
  return path === "/" && host !== undefined && !host.includes(memberPlaceholder)
    ? reported(
        configured,
        "path",
        `would be everybody's path on ${host}; let it end in /{member}, or have {member} in host`,
      )
    : [];
}
