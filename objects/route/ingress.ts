import type { Member } from "../../config/member/member.ts";
import { urlAnnotation } from "../../config/names/labels.ts";
import { backendCaSecretName, routedPort, routeUrl, serviceName } from "../../config/names/names.ts";
import type { IngressPath } from "../../config/route/controllers/controller.ts";
import { certificateSuffix } from "../../config/route/hosts.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import type { TlsSettings } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { withMember } from "../../config/values/placeholders.ts";
import { notAwaited } from "../deletion.ts";
import { annotation, type Fields } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import { usedIn } from "./driver.ts";
import type { IngressWays } from "./ingressWays.ts";
import { letInUrl } from "./login.ts";

/** A member's public path, with the labels that the Members operator gave it. */
export function ingress(member: Member, route: MemberRoute, settings: Settings, ways: IngressWays) {
  const { namespace, className, rewrite, tls } = settings.route;
  const backend = { service: { name: serviceName(member), port: { number: routedPort(settings.route) } } };
  const paths = ways.paths(route.path, rewrite === "strip");
  return {
    metadata: metadataOf(member.name, member, settings, {
      namespace,
      labels: {
        "app.kubernetes.io/name": "member-route",
        "app.kubernetes.io/created-by": "kubecamp",
        group: namespace,
      },
      annotations: {
        // Pulumi would wait ten minutes for an address that not every controller reports.
        ...notAwaited,
        // Paths can be regular expressions, which don't show the URL.
        [urlAnnotation]: routeUrl(route),
        ...controllerAnnotations(member, { ...route, paths }, settings, ways),
        ...(tls === undefined ? {} : issuerAnnotation(tls)),
      },
    }),
    spec: {
      ingressClassName: className,
      ...(tls === undefined ? {} : { tls: [{ hosts: [route.host], secretName: certificateName(route, tls) }] }),
      rules: [{ host: route.host, http: { paths: paths.map((path) => ({ ...path, backend })) } }],
    },
  };
}

function controllerAnnotations(
  member: Member,
  { path, paths }: MemberRoute & { readonly paths: readonly IngressPath[] },
  settings: Settings,
  ways: IngressWays,
) {
  const { namespace, rewrite, backend, limits, login } = settings.route;
  const tls = {
    ...(backend.ca === undefined ? {} : { ca: `${namespace}/${backendCaSecretName(settings)}` }),
    serverName: withMember(backend.serverName, member.name),
  };
  return {
    // A path on the member's own host has no prefix to strip.
    ...(rewrite === "strip" && path !== "/" ? ways.stripping?.(path) : {}),
    ...(backend.protocol === "HTTPS" ? ways.tlsOnIngress?.(tls) : {}),
    ...(limits === undefined ? {} : ways.limiting?.(limits, paths)),
    ...(login === undefined
      ? {}
      : ways.asking?.({ letInUrl: letInUrl(member, settings), signIn: login.signIn ?? login.url })),
    ...ways.referring?.(usedIn(ways.treatments ?? [], settings, path), member, settings),
  };
}

/** One certificate for each host, so that members who share a host share its certificate. */
export const certificateName = ({ host }: Pick<MemberRoute, "host">, tls: TlsSettings) =>
  "secretName" in tls ? tls.secretName : `${host}${certificateSuffix}`;

/** @see https://cert-manager.io/docs/usage/ingress/#supported-annotations */
export function issuerAnnotation(tls: TlsSettings): Record<string, string> {
  if ("secretName" in tls) {
    return {};
  }
  return "issuer" in tls
    ? { "cert-manager.io/issuer": tls.issuer }
    : { "cert-manager.io/cluster-issuer": tls.clusterIssuer };
}

export const ingressFields: Fields = {
  [annotation(urlAnnotation)]: { what: "URL" },
  "spec.ingressClassName": { what: "Ingress class" },
};
