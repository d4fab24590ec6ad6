import type { Rule } from "../rule.ts";
import { isMap, present } from "../values/maps.ts";
import type { RawMistake } from "../values/mistakes.ts";
import { memberPlaceholder } from "../values/placeholders.ts";
import { type ConfiguredServer, reported, secondServer } from "./configuredServer.ts";
import type { ServerName } from "./controllers.ts";
import { loginMistakes, serverNameOf } from "./loginRules.ts";
import { isBeside, type RouteServer, routeSettingsOf } from "./route.ts";
import { serverMistakes } from "./serverRules.ts";

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

function backendMistakes(configured: ConfiguredServer): RawMistake[] {
  const { backendProtocol = "HTTP", isKnown } = configured;
  return backendProtocol === "HTTP" && isKnown("backendProtocol")
    ? reported(configured, "backendTls", "is for backendProtocol: HTTPS; set that, or leave backendTls out")
    : [];
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
