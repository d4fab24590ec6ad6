import { envoyGateway, gatewayApi } from "../../../cluster/kinds/apiVersions.ts";
import type { Member } from "../../../config/member/member.ts";
import { apiGroup } from "../../../config/names/customKinds.ts";
import { urlAnnotation } from "../../../config/names/labels.ts";
import { backendCaName, routedPort, routeUrl, serviceName } from "../../../config/names/names.ts";
import { readLimit } from "../../../config/route/limits.ts";
import { loginWords, visitorHeaders } from "../../../config/route/login.ts";
import type { MemberRoute } from "../../../config/route/memberRoute.ts";
import type { Settings } from "../../../config/settings.ts";
import { isMap } from "../../../config/values/maps.ts";
import { valueAt } from "../../../config/values/mistakes.ts";
import { withMember } from "../../../config/values/placeholders.ts";
import { annotation, type Fields, list } from "../../field.ts";
import { metadataOf } from "../../metadata.ts";
import type { Door, RouteDriver, RoutePart } from "../driver.ts";
import { listeners, listenersRef } from "../listenerSet.ts";
import { askedBy, login } from "../securityPolicy.ts";

const group = apiGroup(gatewayApi);

/** The CA of members' Services, which a BackendTLSPolicy reads in its own namespace, from the key `ca.crt`. */
const ca: RoutePart = {
  part: "backend-ca",
  kind: "ConfigMap",
  place: "home",
  name: () => backendCaName,
  purpose: "treatment",
  build: (member, _, settings) => {
    const { ca } = settings.route.backend;
    if (ca === undefined) {
      throw new Error("route.backendTls.ca is missing: no route has this ConfigMap without it");
    }
    return { metadata: metadataOf(backendCaName, member, settings), data: { "ca.crt": ca } };
  },
  reference: () => backendCaName,
};

/**
 * Makes the Gateway use TLS to the member's Service, and names the certificate to expect: the Gateway API has no TLS to a
 * backend without that. Made before the route, so that no request goes to the Service's HTTPS port without TLS.
 * @see https://gateway-api.sigs.k8s.io/api-types/backendtlspolicy/
 */
const tlsPolicy: RoutePart = {
  part: "backend-tls",
  kind: "BackendTLSPolicy",
  place: "home",
  name: ({ name }) => name,
  purpose: "treatment",
  build: (member, _, settings) => backendTlsPolicy(member, settings),
  reference: (_, { route }) => `"port":${routedPort(route)}`,
};

const httpRouteFields: Fields = {
  [annotation(urlAnnotation)]: { what: "URL" },
  "spec.rules": list("rule of the path", ruleText),
};

const door: Door = {
  part: "http",
  kind: "HTTPRoute",
  place: "home",
  name: ({ name }) => name,
  purpose: "door",
  build: httpRoute,
  fields: httpRouteFields,
};

/**
 * A Gateway to which all members' routes attach, each from the member's namespace; it needs no Service beside it.
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/
 */
export const gateway: RouteDriver = {
  parts: [ca, tlsPolicy, listeners, login, door],
  door,
  install: "install what runs the Gateway, or name the namespace where its pods are",
  annotations: { Ingress: [], Service: [] },
  tlsOf: ({ kind, spec: { validation } }) =>
    kind === "BackendTLSPolicy" ? { name: isMap(validation) ? validation.hostname : undefined } : undefined,
  limitsOf: ({ spec: { rules } }) => readLimit("timeoutSeconds", valueAt(rules, [0, "timeouts", "request"]), "s"),
  loginOf: askedBy,
  strips: ({ spec }) => JSON.stringify(spec).includes('"URLRewrite"'),
  apiGroups: [group, "gateway.networking.x-k8s.io", apiGroup(envoyGateway)],
  // A route's status says why it is not served.
  visible: { apiGroups: [group], own: ["backendtlspolicies", "httproutes"], others: ["httproutes"] },
};

/**
 * A member's public path at a shared Gateway. States the API server's defaults within lists: lists are compared whole, and
 * those would look like a change by hand.
 * @throws Error if the settings name no Gateway
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/
 */
function httpRoute(member: Member, route: MemberRoute, settings: Settings) {
  const path = { type: "PathPrefix", value: route.path };
  return {
    metadata: metadataOf(member.name, member, settings, {
      labels: { "app.kubernetes.io/name": "member-route", "app.kubernetes.io/created-by": "kubecamp" },
      annotations: { [urlAnnotation]: routeUrl(route) },
    }),
    spec: {
      parentRefs: [settings.route.tls === undefined ? gatewayRef(settings) : listenersRef(member, settings)],
      hostnames: [route.host],
      rules: [
        {
          matches: [{ path }],
          ...filtersOf(route, settings),
          backendRefs: [
            { group: "", kind: "Service", name: serviceName(member), port: routedPort(settings.route), weight: 1 },
          ],
          ...timeoutsOf(settings),
        },
        ...(settings.route.login === undefined ? [] : [refusing(path)]),
      ],
    },
  };
}

/**
 * Answers requests with headers about who signed in with 500, as it leads to no Service: where the login says nothing of one,
 * Envoy would pass the visitor's own on. More headers to match win over fewer.
 */
const refusing = (path: object) => ({
  matches: visitorHeaders.map((name) => ({
    path,
    headers: [{ type: "RegularExpression", name, value: ".*" }],
  })),
});

function gatewayRef({ route }: Settings) {
  if (route.gateway === undefined) {
    throw new Error("route.gateway is missing: no configuration has route.kind 'gateway' without it");
  }
  const { name, namespace, sectionName } = route.gateway;
  return {
    group,
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
  if (path === undefined) {
    return undefined;
  }
  return port === undefined
    ? `${path} to nobody, with a visitor's own ${loginWords.headers}`
    : `${path} to port ${port}${timeout === undefined ? "" : `, in ${timeout}`}`;
}

function backendTlsPolicy(member: Member, settings: Settings) {
  const { ca, serverName } = settings.route.backend;
  return {
    metadata: metadataOf(member.name, member, settings),
    spec: {
      targetRefs: [{ group: "", kind: "Service", name: serviceName(member) }],
      validation: {
        hostname: withMember(serverName, member.name),
        ...(ca === undefined
          ? { wellKnownCACertificates: "System" }
          : { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: backendCaName }] }),
      },
    },
  };
}
