import { controllers } from "./controllers.ts";
import type { RouteEntry, SettingsEntry } from "./entries.ts";
import { isMap } from "./maps.ts";
import { type Finding, plainly, type Show } from "./mistakes.ts";
import type { Valid } from "./schema/issues.ts";
import { memberPlaceholder } from "./schema/route.ts";

/** What the rules below know of a route; what is wrong by itself, or not to be read, contradicts nothing. */
interface Said extends Valid<RouteEntry> {
  /** Whether a key is set to what is right by itself, or left out. */
  readonly isClear: (key: keyof RouteEntry) => boolean;
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * What a stack's route says that contradicts the rest of it, or that its controller can't do.
 * @param raw the route as it stands in the configuration
 */
export function routeFindings(raw: unknown, { route }: Valid<SettingsEntry>): Finding[] {
  if (route === undefined || !isMap(raw)) {
    return [];
  }
  const isClear = (key: keyof RouteEntry) => raw[key] === undefined || route[key] !== undefined;
  const said: Said = { ...route, isClear, raw };
  return [
    ...kindFindings(said),
    ...tlsFindings(said),
    ...backendFindings(said),
    ...controllerFindings(said),
    ...pathFindings(said),
  ];
}

/** Told of a value, with the value. */
const told = (key: string, value: unknown, message: string): Finding => ({
  path: ["route", ...key.split(".")],
  message: (show: Show) => `${show(value)} ${message}`,
});

function kindFindings(said: Said): Finding[] {
  const { kind = "ingress", isClear, namespace, gateway, controller, className, tls } = said;
  if (!isClear("kind")) {
    return [];
  }
  if (kind === "ingress") {
    return gateway === undefined
      ? []
      : [told("gateway", gateway, "is for kind: gateway; leave it out, or set kind: gateway")];
  }
  const missing = (what: string) => plainly(`is missing: kind: gateway needs ${what}; set it, or leave kind out`);
  const noGateway = gateway === undefined && isClear("gateway");
  const nowhere = namespace === undefined && isClear("namespace") && gateway?.namespace === undefined;
  const useless = (key: string, value: unknown, why: string) =>
    value === undefined ? [] : [told(key, value, `is for kind: ingress; leave it out: ${why}`)];
  return [
    ...(noGateway ? [{ path: ["route", "gateway"], message: missing("the Gateway that routes are attached to") }] : []),
    ...(nowhere ? [{ path: ["route", "namespace"], message: missing("the namespace of the Gateway's pods") }] : []),
    ...useless("controller", controller, "a Gateway has its own"),
    ...useless("className", className, "a Gateway has its own"),
    ...useless("tls", tls, "the certificate is the Gateway's listener's"),
  ];
}

const certificates = ["secretName", "clusterIssuer", "issuer"];

function tlsFindings({ raw: { tls } }: Said): Finding[] {
  if (!isMap(tls)) {
    return [];
  }
  const named = certificates.filter((key) => tls[key] !== undefined);
  if (Object.keys(tls).length === 0) {
    return [told("tls", tls, "names no certificate; set one of secretName, clusterIssuer and issuer")];
  }
  return named.length > 1 ? [told("tls", tls, `has ${named.join(" and ")}; keep one of them`)] : [];
}

function backendFindings({ backendProtocol = "HTTP", backendTls, isClear }: Said): Finding[] {
  return backendProtocol === "HTTP" && backendTls !== undefined && isClear("backendProtocol")
    ? [told("backendTls", backendTls, "is for backendProtocol: HTTPS; set that, or leave backendTls out")]
    : [];
}

/** An Ingress can have what its controller takes. */
function controllerFindings(said: Said): Finding[] {
  const { kind, controller = "ingress-nginx", rewrite, backendProtocol, backendTls, isClear, raw } = said;
  if (kind === "gateway" || !isClear("kind") || !isClear("controller")) {
    return [];
  }
  const { strip, https } = controllers[controller];
  const { ca, serverName } = backendTls ?? {};
  const instead = "leave it out, or choose kind: gateway";
  const noCa = backendProtocol === "HTTPS" && isMap(raw.backendTls) && raw.backendTls.ca === undefined;
  const findings: Finding[] = [];
  if (rewrite === "strip" && strip === undefined) {
    findings.push(told("rewrite", rewrite, `is nothing that ${controller} does for an Ingress; ${instead}`));
  }
  if (ca !== undefined && !https.verifies.includes("CA")) {
    findings.push(told("backendTls.ca", ca, `is nothing that ${controller} verifies for an Ingress; ${instead}`));
  }
  if (serverName !== undefined && !https.verifies.includes("name")) {
    findings.push(
      told("backendTls.serverName", serverName, `is nothing that ${controller} verifies for an Ingress; ${instead}`),
    );
  } else if (serverName !== undefined && noCa) {
    const why = "is verified only beside a CA; set backendTls.ca, or leave serverName out";
    findings.push(told("backendTls.serverName", serverName, why));
  }
  return findings;
}

function pathFindings({ path, host }: Said): Finding[] {
  return path === "/" && host !== undefined && !host.includes(memberPlaceholder)
    ? [told("path", path, `would be everybody's path on ${host}; let it end in /{member}, or have {member} in host`)]
    : [];
}
