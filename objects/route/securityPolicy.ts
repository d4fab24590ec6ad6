import { gatewayApi } from "../../cluster/kinds/apiVersions.ts";
import type { Member } from "../../config/member/member.ts";
import { apiGroup } from "../../config/names/customKinds.ts";
import { clusterDomainOf } from "../../config/names/names.ts";
import type { AskedLogin, Treatment } from "../../config/route/controllers/controller.ts";
import { loginWords, serviceAt, visitorHeaders } from "../../config/route/login.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import type { Settings } from "../../config/settings.ts";
import { valueAt } from "../../config/values/mistakes.ts";
import { list } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import type { RoutePart } from "./driver.ts";
import { signInPath } from "./login.ts";

/**
 * Has Envoy Gateway ask the login about each request to the member's HTTPRoute. Made before the route, so that there is no
 * path without it, and deleted after. Envoy passes any answer but a 200 on to the visitor.
 * @see https://gateway.envoyproxy.io/docs/tasks/security/ext-auth/
 */
export const login: RoutePart = {
  part: "http-login",
  kind: "SecurityPolicy",
  place: "home",
  name: ({ name }) => name,
  purpose: "treatment",
  build: securityPolicy,
  features: ["login"],
  fields: {
    "spec.extAuth.http.pathOverride": { what: loginWords.asked },
    "spec.extAuth.http.backendRefs": list(loginWords.asked, serviceText),
    "spec.extAuth.http.headersToBackend": { what: loginWords.headers },
  },
};

/**
 * The path takes the place of the visitor's own, which could otherwise be one that the proxy answers for everyone, or add to
 * those whom it lets in. States the API server's defaults within lists, which are compared whole.
 * @throws Error if the settings have no login, or none that a Gateway can ask
 */
function securityPolicy(member: Member, route: MemberRoute, settings: Settings) {
  const { login } = settings.route;
  const service = login && serviceAt(login.url, clusterDomainOf(settings));
  if (service === undefined) {
    throw new Error("route.login.url is no Service: no route has a SecurityPolicy without one");
  }
  return {
    metadata: metadataOf(member.name, member, settings),
    spec: {
      targetRefs: [{ group: apiGroup(gatewayApi), kind: "HTTPRoute", name: member.name }],
      extAuth: {
        failOpen: false,
        statusOnError: 503,
        headersToExtAuth: ["Accept", "Cookie"],
        http: {
          backendRefs: [{ group: "", kind: "Service", ...service, weight: 1 }],
          pathOverride: signInPath(member, route, settings),
          headersToBackend: [...visitorHeaders],
        },
      },
    },
  };
}

/** Such as `oauth2-proxy.login:4180`. */
function serviceText(ref: object): string {
  const { name, namespace, port } = Object(ref);
  return `${name}.${namespace}:${port}`;
}

/** The URL that a SecurityPolicy has asked. */
export function askedBy({ kind, spec }: Treatment): AskedLogin {
  const { name, namespace, port } = Object(valueAt(spec, ["extAuth", "http", "backendRefs", 0]));
  const path = valueAt(spec, ["extAuth", "http", "pathOverride"]);
  const url = `http://${name}.${namespace}.svc:${port}${path}`;
  return kind === "SecurityPolicy" && name !== undefined ? { login: url, allow: url } : {};
}
