import type { Member } from "../../config/member/member.ts";
import { urlAnnotation } from "../../config/names/labels.ts";
import {
  backendCaSecretName,
  routeCertificateName,
  routedPort,
  routeUrl,
  serviceName,
} from "../../config/names/names.ts";
import type { IngressPath } from "../../config/route/controllers/controller.ts";
import { certificateSuffix } from "../../config/route/hosts.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import { isBeside, type RouteServer } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { withMember } from "../../config/values/placeholders.ts";
import { notAwaited } from "../deletion.ts";
import { annotation, type Fields } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import { routeNamespace, usedIn } from "./driver.ts";
import type { IngressWays } from "./ingressWays.ts";
import { letInUrl } from "./login.ts";

/** A member's public path, with the labels that the Members operator gave it. */
export function ingress(name: string, { member, route, settings }: OfIngress, ways: IngressWays) {
  const { namespace, className, rewrite, tls } = settings.route;
  const backend = { service: { name: serviceName(member), port: { number: routedPort(settings.route) } } };
  const paths = ways.paths(route.path, rewrite === "strip");
  return {
    metadata: metadataOf(name, member, settings, {
      namespace: routeNamespace(member, settings),
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
        ...certificateAnnotations(settings.route, ways),
      },
    }),
    spec: {
      ingressClassName: className,
      ...(tls === undefined
        ? {}
        : { tls: [{ hosts: [route.host], secretName: certificateName(route, settings.route) }] }),
      rules: [{ host: route.host, http: { paths: paths.map((path) => ({ ...path, backend })) } }],
    },
  };
}

interface OfIngress {
  readonly member: Member;
  readonly route: MemberRoute;
  readonly settings: Settings;
}

function controllerAnnotations(
  member: Member,
  { path, paths }: MemberRoute & { readonly paths: readonly IngressPath[] },
  settings: Settings,
  ways: IngressWays,
) {
  const { beside, rewrite, backend, limits, login } = settings.route;
  const tls = {
    ...(backend.ca === undefined ? {} : { ca: `${beside}/${backendCaSecretName(settings)}` }),
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

type Certified = Pick<RouteServer, "kind" | "place" | "namespace" | "tls">;

/** Beside the controller or Gateway, one certificate for each host, so that members who share a host share its certificate. */
export function certificateName({ host }: Pick<MemberRoute, "host">, route: Certified): string {
  const { tls = { clusterIssuer: "" } } = route;
  if ("secretName" in tls) {
    return tls.secretName;
  }
  const isAtHome = route.kind === "ingress" && !isBeside(route);
  return isAtHome ? routeCertificateName : `${host}${certificateSuffix}`;
}

/** @see https://cert-manager.io/docs/usage/ingress/#supported-annotations */
export function certificateAnnotations(
  route: Certified,
  { certificateIn }: Pick<IngressWays, "certificateIn">,
): Record<string, string> {
  const { tls } = route;
  if (tls === undefined) {
    return {};
  }
  if ("secretName" in tls) {
    return isBeside(route) || certificateIn === undefined ? {} : { [certificateIn]: route.namespace };
  }
  return "issuer" in tls
    ? { "cert-manager.io/issuer": tls.issuer }
    : { "cert-manager.io/cluster-issuer": tls.clusterIssuer };
}

export const ingressFields: Fields = {
  [annotation(urlAnnotation)]: { what: "URL" },
  "spec.ingressClassName": { what: "Ingress class" },
};
