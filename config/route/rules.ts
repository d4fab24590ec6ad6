import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { isMap } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { memberPlaceholder } from "../values/placeholders.ts";
import { controllers } from "./controllers.ts";
import { loginFindings as ofLogin } from "./loginRules.ts";
import { defaultRoute, limitKeys, type RouteEntry, type RouteLimits } from "./route.ts";

/** The route that the rules below check. Invalid or encrypted keys contradict nothing. */
interface ConfiguredRoute extends Valid<RouteEntry> {
  /** Whether a key is valid or absent. */
  readonly isClear: (key: keyof RouteEntry) => boolean;
  /** For keys that are mistakes whatever their value, such as `backendTls.ca`. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * Mistakes: settings of `route` that contradict each other, or that the controller does not support.
 * @param raw the setting as configured
 */
export function routeFindings(raw: unknown, { route }: Valid<SettingsEntry>): RawMistake[] {
  if (route === undefined || !isMap(raw)) {
    return [];
  }
  const isClear = (key: keyof RouteEntry) => raw[key] === undefined || route[key] !== undefined;
  const configured: ConfiguredRoute = { ...route, isClear, raw };
  return [
    ...kindFindings(configured),
    ...tlsFindings(configured),
    ...backendFindings(configured),
    ...controllerFindings(configured),
    ...limitFindings(configured),
    ...loginFindings(configured),
    ...pathFindings(configured),
  ];
}

/** A mistake with the configured value; none if the key is absent or empty. */
function reported({ raw }: ConfiguredRoute, key: string, message: string): RawMistake[] {
  const path = key.split(".");
  const value = valueAt(raw, path) ?? undefined;
  return value === undefined ? [] : [valueMistake(["route", ...path], value, message)];
}

function kindFindings(configured: ConfiguredRoute): RawMistake[] {
  const { kind = defaultRoute.kind, isClear, namespace, gateway } = configured;
  if (!isClear("kind")) {
    return [];
  }
  if (kind === "ingress") {
    return reported(configured, "gateway", "is for kind: gateway; leave it out, or set kind: gateway");
  }
  const missing = (key: string, what: string) =>
    plainMistake(["route", key], `is missing: kind: gateway needs ${what}; set it, or leave kind out`);
  const noGateway = gateway === undefined && isClear("gateway");
  const nowhere = namespace === undefined && isClear("namespace") && gateway?.namespace === undefined;
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

function tlsFindings(configured: ConfiguredRoute): RawMistake[] {
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

function backendFindings(configured: ConfiguredRoute): RawMistake[] {
  const { backendProtocol = "HTTP", isClear } = configured;
  return backendProtocol === "HTTP" && isClear("backendProtocol")
    ? reported(configured, "backendTls", "is for backendProtocol: HTTPS; set that, or leave backendTls out")
    : [];
}

/** An Ingress can use only features of its controller. */
function controllerFindings(configured: ConfiguredRoute): RawMistake[] {
  const { kind, controller = defaultRoute.controller, rewrite, backendProtocol, isClear, raw } = configured;
  if (kind === "gateway" || !isClear("kind") || !isClear("controller")) {
    return [];
  }
  const { by, verifies } = controllers[controller];
  const instead = "leave it out, or choose kind: gateway";
  const unverified = `is not verified by ${controller} for an Ingress; ${instead}`;
  const noCa = backendProtocol === "HTTPS" && isMap(raw.backendTls) && raw.backendTls.ca === undefined;
  const findings: RawMistake[] = [];
  if (rewrite === "strip" && by.strip === undefined) {
    findings.push(...reported(configured, "rewrite", `is not supported by ${controller} for an Ingress; ${instead}`));
  }
  if (!verifies.includes("CA")) {
    findings.push(...reported(configured, "backendTls.ca", unverified));
  }
  if (!verifies.includes("name")) {
    findings.push(...reported(configured, "backendTls.serverName", unverified));
  } else if (noCa) {
    const why = "is verified only with a CA; set backendTls.ca, or leave serverName out";
    findings.push(...reported(configured, "backendTls.serverName", why));
  }
  return findings;
}

function limitFindings(configured: ConfiguredRoute): RawMistake[] {
  const { kind, controller = defaultRoute.controller, limits = {}, isClear } = configured;
  if (!isClear("kind") || !isClear("controller")) {
    return [];
  }
  const { by } = controllers[controller];
  const noLimit = (key: (typeof limitKeys)[number]) => {
    if (kind === "gateway") {
      return atGateway[key];
    }
    if (by[key] === undefined) {
      return unlimited;
    }
    return by[key] === "always" && limits[key] === false ? alwaysOn : undefined;
  };
  return limitKeys.flatMap((key) => {
    const why = noLimit(key);
    return why === undefined ? [] : reported(configured, `limits.${key}`, why(controller));
  });
}

const alwaysOn = (controller: string) =>
  `can't be off with ${controller}, which passes WebSockets on for every Ingress; leave it out`;

const unlimited = (controller: string) =>
  `can't be set for one Ingress with ${controller}; leave it out, and set it in the controller's configuration`;

/** Limits that an HTTPRoute has no field for. @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
const atGateway: Partial<Readonly<Record<keyof RouteLimits, () => string>>> = {
  bodyMiB: () => "can't be set in an HTTPRoute; leave it out, and limit requests at the Gateway",
  websockets: () => "can't be set in an HTTPRoute; leave it out: the Gateway decides, by the Service's appProtocol",
};

function loginFindings(configured: ConfiguredRoute): RawMistake[] {
  const { kind, controller = defaultRoute.controller, login, isClear, raw } = configured;
  const hasSignIn = valueAt(raw, ["login", "signIn"]) !== undefined;
  return login !== undefined && isClear("kind") && isClear("controller")
    ? ofLogin(login, kind === "gateway" ? undefined : controller, hasSignIn)
    : [];
}

function pathFindings(configured: ConfiguredRoute): RawMistake[] {
  const { path, host } = configured;
  return path === "/" && host !== undefined && !host.includes(memberPlaceholder)
    ? reported(
        configured,
        "path",
        `would be everybody's path on ${host}; let it end in /{member}, or have {member} in host`,
      )
    : [];
}
