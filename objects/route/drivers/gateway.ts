import { backendCaName, backendTlsPolicyName, httpRouteName, routedPort } from "../../../config/names/names.ts";
import { isMap } from "../../../config/values/maps.ts";
import { valueAt } from "../../../config/values/mistakes.ts";
import { backendCa } from "../backendCa.ts";
import { backendTlsPolicy } from "../backendTlsPolicy.ts";
import type { Door, RouteDriver, RoutePart } from "../driver.ts";
import { httpRoute, httpRouteFields } from "../httpRoute.ts";
import { readLimit } from "../limits.ts";

const group = "gateway.networking.k8s.io";

const ca: RoutePart = {
  part: "backend-ca",
  kind: "ConfigMap",
  place: "home",
  name: () => backendCaName,
  purpose: "treatment",
  build: (member, _, settings) => backendCa(member, settings),
  reference: () => backendCaName,
};

/** Made before the route, so that no request goes to the Service's HTTPS port without TLS. */
const tlsPolicy: RoutePart = {
  part: "backend-tls",
  kind: "BackendTLSPolicy",
  place: "home",
  name: backendTlsPolicyName,
  purpose: "treatment",
  build: (member, _, settings) => backendTlsPolicy(member, settings),
  reference: (_, { route }) => `"port":${routedPort(route)}`,
};

const door: Door = {
  part: "http",
  kind: "HTTPRoute",
  place: "home",
  name: httpRouteName,
  purpose: "door",
  build: httpRoute,
  fields: httpRouteFields,
};

/**
 * A Gateway to which all members' routes attach, each from the member's namespace; it needs no Service beside it.
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/
 */
export const gateway: RouteDriver = {
  parts: [ca, tlsPolicy, door],
  door,
  install: "install what runs the Gateway, or name the namespace where its pods are",
  prefixes: [],
  annotations: { Ingress: [], Service: [] },
  tlsOf: ({ kind, spec: { validation } }) =>
    kind === "BackendTLSPolicy" ? { name: isMap(validation) ? validation.hostname : undefined } : undefined,
  limitsOf: ({ spec: { rules } }) => readLimit("timeoutSeconds", valueAt(rules, [0, "timeouts", "request"]), "s"),
  loginOf: () => ({}),
  strips: ({ spec }) => JSON.stringify(spec).includes('"URLRewrite"'),
  apiGroups: [group, "gateway.networking.x-k8s.io"],
  // A route's status says why it is not served.
  visible: { apiGroups: [group], own: ["backendtlspolicies", "httproutes"], others: ["httproutes"] },
};
