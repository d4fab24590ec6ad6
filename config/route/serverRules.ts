import { isMap, when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt } from "../values/mistakes.ts";
import { memberPlaceholder } from "../values/placeholders.ts";
import { type ConfiguredServer, reported } from "./configuredServer.ts";
import type { RouteFeature } from "./controllers/controller.ts";
import { controllerChoices, controllers, type IngressController, type ServerName, serverUses } from "./controllers.ts";
import { type LimitKey, limitKeys, routeLimits } from "./limits.ts";
import { defaultRoute } from "./route.ts";

/** What contradicts itself in one of those that serve paths, or is more than it can do. */
export const serverMistakes = (server: ConfiguredServer, name: ServerName | undefined): RawMistake[] => [
  ...kindMistakes(server),
  ...tlsMistakes(server),
  ...(name === undefined ? [] : abilityMistakes(server, name)),
];

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
