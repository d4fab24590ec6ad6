import type { Member } from "../../../config/member/member.ts";
import { backendCaSecretName } from "../../../config/names/names.ts";
import { traefikAnnotations } from "../../../config/route/controllers/traefik.ts";
import { controllers } from "../../../config/route/controllers.ts";
import { routeLimits } from "../../../config/route/limits.ts";
import { loginWords, visitorHeaders } from "../../../config/route/login.ts";
import type { MemberRoute } from "../../../config/route/memberRoute.ts";
import type { Settings } from "../../../config/settings.ts";
import { withMember } from "../../../config/values/placeholders.ts";
import { metadataOf } from "../../metadata.ts";
import { type RoutePart, routeNamespace, usedIn } from "../driver.ts";
import type { IngressWays } from "../ingressWays.ts";
import { letInUrl, signedInUrl } from "../login.ts";

export const reference = (name: string, namespace: string) => `${namespace}-${name}@kubernetescrd`;

const middleware = (
  part: Pick<RoutePart, "part" | "name" | "features" | "fields">,
  specOf: (member: Member, settings: Settings, route: MemberRoute) => object,
): RoutePart => ({
  ...part,
  kind: "Middleware",
  place: "home",
  purpose: "treatment",
  reference: (member, settings) => reference(part.name(member), routeNamespace(member, settings)),
  build: (member, route, settings) => ({
    metadata: metadataOf(part.name(member), member, settings, { namespace: routeNamespace(member, settings) }),
    spec: specOf(member, settings, route),
  }),
});

// 401 is the status of a visitor who has not signed in, 403 of one who is not let in, 413 of a request that is too large. No
// member's name begins with a digit, and in Traefik's own names only letters and digits count.

/**
 * Asks the proxy whether a visitor has signed in. Traefik passes any answer but a 2xx on to the visitor, so that the proxy can
 * send them to sign in, and answers 500 itself if the proxy doesn't.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/forwardauth/
 */
const login = middleware(
  {
    part: "login",
    name: ({ name }) => `401-${name}`,
    features: ["login"],
    fields: {
      "spec.forwardAuth.address": { what: loginWords.asked },
      "spec.forwardAuth.authResponseHeaders": { what: loginWords.headers },
    },
  },
  (_, settings) => askingLogin(signedInUrl(settings)),
);

/** Asked second: the proxy tells those who have not signed in from those who are not let in only there. */
const allow = middleware(
  { part: "allow", name: ({ name }) => `403-${name}`, features: ["allow"] },
  (member, settings) => askingLogin(letInUrl(member, settings)),
);

/**
 * Limits the body of requests. Traefik then also holds each answer back until it is complete.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/buffering/
 */
const bodyLimit = middleware(
  {
    part: "body-limit",
    name: ({ name }) => `413-${name}`,
    features: ["bodyMiB"],
    fields: { "spec.buffering.maxRequestBodyBytes": { what: `${routeLimits.bodyMiB.what}, in bytes` } },
  },
  (_, { route: { limits: { bodyMiB } = {} } }) => {
    if (bodyMiB === undefined) {
      throw new Error("route.limits.bodyMiB is missing: 0 would be no limit");
    }
    return { buffering: { maxRequestBodyBytes: bodyMiB * 2 ** 20 } };
  },
);

/** @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/stripprefix/ */
const stripPrefix = middleware(
  { part: "middleware", name: ({ name }) => name, features: ["strip"] },
  (_member, _settings, { path }) => ({ stripPrefix: { prefixes: [path] } }),
);

const backendTransport: RoutePart = {
  part: "transport",
  kind: "ServersTransport",
  place: "home",
  name: ({ name }) => name,
  purpose: "treatment",
  build: (member, _, settings) => serversTransport(member, settings),
  features: ["https", "timeoutSeconds"],
  fields: { "spec.forwardingTimeouts.responseHeaderTimeout": { what: routeLimits.timeoutSeconds.what } },
  reference: (member, settings) => reference(member.name, routeNamespace(member, settings)),
};

/**
 * Traefik's own resources are named `<namespace>-<name>@kubernetescrd` in annotations.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export const traefik: IngressWays = {
  ...controllers.traefik,
  treatments: [login, allow, bodyLimit, stripPrefix, backendTransport],
  referring: (treatments, member, settings) => {
    const references = treatments
      .filter(({ kind }) => kind === "Middleware")
      .map(({ name }) => reference(name(member), routeNamespace(member, settings)));
    return references.length === 0 ? {} : { [traefikAnnotations.middlewares]: references.join() };
  },
  onService: (member, settings) =>
    usedIn([backendTransport], settings).length === 0
      ? {}
      : { [traefikAnnotations.transport]: reference(member.name, routeNamespace(member, settings)) },
};

export const askingLogin = (address: string) => ({
  forwardAuth: { address, authResponseHeaders: [...visitorHeaders] },
});

/**
 * Traefik's connection to a member's Service: how long it waits for an answer to begin, and TLS. Traefik verifies by
 * default, so with HTTPS this is there in any case.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export function serversTransport(member: Member, settings: Settings) {
  const { backend, limits: { timeoutSeconds } = {} } = settings.route;
  return {
    metadata: metadataOf(member.name, member, settings, { namespace: routeNamespace(member, settings) }),
    spec: {
      ...(backend.protocol === "HTTPS" ? tlsOf(member, settings) : {}),
      ...(timeoutSeconds === undefined ? {} : { forwardingTimeouts: { responseHeaderTimeout: `${timeoutSeconds}s` } }),
    },
  };
}

function tlsOf(member: Member, settings: Settings) {
  const { ca, serverName } = settings.route.backend;
  return {
    serverName: withMember(serverName, member.name),
    ...(ca === undefined ? { insecureSkipVerify: true } : { rootCAs: [{ secret: backendCaSecretName(settings) }] }),
  };
}
