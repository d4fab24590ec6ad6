import type { Rule } from "../rule.ts";
import type { EntryOf } from "../values/issues.ts";
import { isMap } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { memberPlaceholder } from "../values/placeholders.ts";
import { controllers } from "./controllers.ts";
import { type LimitKey, limitKeys, routeLimits } from "./limits.ts";
import { loginMistakes } from "./loginRules.ts";
import { defaultRoute, type routeSchema } from "./route.ts";

type RouteEntry = EntryOf<typeof routeSchema>;

/** The route that the rules below check. Invalid or encrypted keys contradict nothing. */
interface ConfiguredRoute extends RouteEntry {
  readonly isKnown: (key: keyof RouteEntry) => boolean;
  /** For keys that are mistakes whatever their value, such as `backendTls.ca`. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export const routeRule: Rule = ({ raw: settings, entry: { route }, isKnown }) => {
  const { route: raw } = settings;
  if (route === undefined || !isMap(raw)) {
    return [];
  }
  const configured: ConfiguredRoute = { ...route, isKnown: (key) => isKnown("route", key), raw };
  const { kind, controller = defaultRoute.controller, login } = configured;
  const asked = kind === "gateway" ? undefined : controller;
  return [
    ...kindMistakes(configured),
    ...tlsMistakes(configured),
    ...backendMistakes(configured),
    ...controllerMistakes(configured),
    ...limitMistakes(configured),
    ...(login !== undefined && configured.isKnown("kind") && configured.isKnown("controller")
      ? loginMistakes(login, asked, settings, ["route", "login"])
      : []),
    ...sharedPathMistakes(configured),
  ];
};

function reported({ raw }: ConfiguredRoute, key: string, message: string): RawMistake[] {
  const path = key.split(".");
  const value = valueAt(raw, path) ?? undefined;
  return value === undefined ? [] : [valueMistake(["route", ...path], value, message)];
}

function kindMistakes(configured: ConfiguredRoute): RawMistake[] {
  const { kind = defaultRoute.kind, isKnown, namespace, gateway } = configured;
  if (!isKnown("kind")) {
    return [];
  }
  if (kind === "ingress") {
    return reported(configured, "gateway", "is for kind: gateway; leave it out, or set kind: gateway");
  }
  const missing = (key: string, what: string) =>
    plainMistake(["route", key], `is missing: kind: gateway needs ${what}; set it, or leave kind out`);
  const noGateway = gateway === undefined && isKnown("gateway");
  const nowhere = namespace === undefined && isKnown("namespace") && gateway?.namespace === undefined;
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

/** An Ingress can use only features of its controller. */
function controllerMistakes(configured: ConfiguredRoute): RawMistake[] {
  const { kind, controller = defaultRoute.controller, rewrite, backendProtocol, isKnown, raw } = configured;
  if (kind === "gateway" || !isKnown("kind") || !isKnown("controller")) {
    return [];
  }
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

function limitMistakes(configured: ConfiguredRoute): RawMistake[] {
  const { kind, controller = defaultRoute.controller, limits = {}, isKnown } = configured;
  if (!isKnown("kind") || !isKnown("controller")) {
    return [];
  }
  const { by } = controllers[controller];
  const noLimit = (key: LimitKey) => {
    if (kind === "gateway") {
      return routeLimits[key].atGateway;
    }
    if (by[key] === undefined) {
      return `can't be set for one Ingress with ${controller}; leave it out, and set it in the controller's configuration`;
    }
    return by[key] === "always" && limits[key] === false
      ? `can't be off with ${controller}, which passes WebSockets on for every Ingress; leave it out`
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
