import type { Configuration } from "../../model/settings/settings.ts";
import type { Mistake } from "../../sources/mistakes.ts";

type Warning = Pick<Mistake, "path" | "message">;

/** The first host on which several members have a path; undefined without one. */
function sharedHost({ members }: Configuration): string | undefined {
  const hosts = members.flatMap((member) => member.route?.host ?? []);
  return hosts.find((host, at) => hosts.indexOf(host) < at);
}

/**
 * Warning about a cert-manager certificate on a host that members share: it belongs to the first Ingress only, and is
 * deleted when that route closes.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export function sharedCertificate(configuration: Configuration): Warning | undefined {
  const { route } = configuration.settings;
  const key = ["clusterIssuer", "issuer"].find((issuer) => issuer in (route.tls ?? {}));
  const shared = sharedHost(configuration);
  const message =
    `on ${shared}, which members share, the certificate belongs to one member, and is deleted when their route closes; ` +
    "make it yourself, and set route.tls.secretName (docs/run/routes.md)";
  return key === undefined || shared === undefined ? undefined : { path: `route.tls.${key}`, message };
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
