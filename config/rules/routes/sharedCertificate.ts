import type { Configuration } from "../../model/settings.ts";
import type { Mistake } from "../../sources/mistakes.ts";

/**
 * What is unwise of certificates by cert-manager on a host that members share: it makes one for the first Ingress alone,
 * and that goes when this one route closes. Undefined where there is nothing to be said.
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
    `on ${shared}, which members share, the certificate is one member's, and goes when their route closes; ` +
    "make it once, and name it by route.tls.secretName (docs/run/routes.md)";
  return { path: `route.tls.${key}`, message };
}
