import type { Configuration } from "../../model/settings/settings.ts";
import type { Mistake } from "../../sources/mistakes.ts";

/**
 * Warning about a cert-manager certificate on a host that members share: it belongs to the first Ingress only, and is
 * deleted when that route closes. Undefined if there is no such host.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export function sharedCertificate({
  settings: { route },
  members,
}: Configuration): Pick<Mistake, "path" | "message"> | undefined {
  const key = ["clusterIssuer", "issuer"].find((issuer) => issuer in (route.tls ?? {}));
  const hosts = members.flatMap((member) => member.route?.host ?? []);
  const shared = hosts.find((host, at) => hosts.indexOf(host) < at);
  if (key === undefined || shared === undefined) {
    return undefined;
  }
  const message =
    `on ${shared}, which members share, the certificate belongs to one member, and is deleted when their route closes; ` +
    "make it yourself, and set route.tls.secretName (docs/run/routes.md)";
  return { path: `route.tls.${key}`, message };
}
