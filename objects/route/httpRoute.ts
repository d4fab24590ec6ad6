import type { Member } from "../../config/member/member.ts";
import { urlAnnotation } from "../../config/names/labels.ts";
import { httpRouteName, routedPort, routeUrl, serviceName } from "../../config/names/names.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import type { Settings } from "../../config/settings.ts";
import { valueAt } from "../../config/values/mistakes.ts";
import { annotation, type Fields, list } from "../field.ts";
import { metadataOf } from "../metadata.ts";

/**
 * A member's public path at a shared Gateway. States the API server's defaults within lists: lists are compared whole, and
 * those would look like a change by hand.
 * @throws Error if the settings name no Gateway
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/
 */
export function httpRoute(member: Member, route: MemberRoute, settings: Settings) {
  return {
    metadata: metadataOf(httpRouteName(member), member, settings, {
      labels: { "app.kubernetes.io/name": "member-route", "app.kubernetes.io/created-by": "kubecamp" },
      annotations: { [urlAnnotation]: routeUrl(route) },
    }),
    spec: {
      parentRefs: [parentRef(settings)],
      hostnames: [route.host],
      rules: [
        {
          matches: [{ path: { type: "PathPrefix", value: route.path } }],
          ...filtersOf(route, settings),
          backendRefs: [
            { group: "", kind: "Service", name: serviceName(member), port: routedPort(settings.route), weight: 1 },
          ],
          ...timeoutsOf(settings),
        },
      ],
    },
  };
}

function parentRef({ route }: Settings) {
  if (route.gateway === undefined) {
    throw new Error("route.gateway is missing: no configuration has route.kind 'gateway' without it");
  }
  const { name, namespace, sectionName } = route.gateway;
  return {
    group: "gateway.networking.k8s.io",
    kind: "Gateway",
    name,
    namespace,
    ...(sectionName === undefined ? {} : { sectionName }),
  };
}

/** @see https://gateway-api.sigs.k8s.io/guides/http-timeouts/ */
function timeoutsOf({ route: { limits: { timeoutSeconds } = {} } }: Settings) {
  return timeoutSeconds === undefined ? {} : { timeouts: { request: `${timeoutSeconds}s` } };
}

/** A path on the member's own host has no prefix to strip. */
function filtersOf({ path }: MemberRoute, { route }: Settings) {
  return route.rewrite === "none" || path === "/"
    ? {}
    : {
        filters: [
          { type: "URLRewrite", urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/" } } },
        ],
      };
}

/** Such as `/bob to port 80, in 30s`. */
function ruleText(rule: object): string | undefined {
  const path = valueAt(rule, ["matches", 0, "path", "value"]);
  const port = valueAt(rule, ["backendRefs", 0, "port"]);
  const timeout = valueAt(rule, ["timeouts", "request"]);
  return path === undefined || port === undefined
    ? undefined
    : `${path} to port ${port}${timeout === undefined ? "" : `, in ${timeout}`}`;
}

export const httpRouteFields: Fields = {
  [annotation(urlAnnotation)]: { what: "URL" },
  "spec.rules": list("rule of the path", ruleText),
};
