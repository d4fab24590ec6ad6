import type { Member } from "../../../config/member/member.ts";
import {
  allowName,
  backendCaSecretName,
  bodyLimitName,
  loginName,
  middlewareName,
  serversTransportName,
} from "../../../config/names/names.ts";
import type { MemberRoute } from "../../../config/route/memberRoute.ts";
import type { RouteSettings } from "../../../config/route/route.ts";
import type { Settings } from "../../../config/settings.ts";
import { valueAt } from "../../../config/values/mistakes.ts";
import { withMember } from "../../../config/values/placeholders.ts";
import { metadataOf } from "../../metadata.ts";
import type { RoutePart } from "../driver.ts";
import { limitWords, readLimit } from "../limits.ts";
import { letInUrl, loginWords, signedInUrl, visitorHeaders } from "../login.ts";
import { usedIn } from "../usedParts.ts";
import { bySegments, ingressDriver } from "./ingressDriver.ts";

const prefix = "traefik.ingress.kubernetes.io/";
export const middlewaresAnnotation = `${prefix}router.middlewares`;
const scheme = `${prefix}service.serversscheme`;
const transport = `${prefix}service.serverstransport`;

/** Name of a Traefik resource in annotations. */
export const reference = (name: string, { route }: { readonly route: Pick<RouteSettings, "namespace"> }) =>
  `${route.namespace}-${name}@kubernetescrd`;

/** A Middleware, which the Ingress refers to. */
const middlewarePart = (part: Pick<RoutePart, "part" | "name" | "build" | "features" | "fields">): RoutePart => ({
  ...part,
  kind: "Middleware",
  place: "controller",
  purpose: "treatment",
  reference: (member, settings) => reference(part.name(member), settings),
});

const login = middlewarePart({
  part: "login",
  name: loginName,
  build: (member, _, settings) => loginMiddleware(member, settings),
  features: ["login"],
  fields: {
    "spec.forwardAuth.address": { what: loginWords.asked },
    "spec.forwardAuth.authResponseHeaders": { what: loginWords.headers },
  },
});

/** Asked second: the proxy tells those who have not signed in from those who are not let in only there. */
const allow = middlewarePart({
  part: "allow",
  name: allowName,
  build: (member, _, settings) => allowMiddleware(member, settings),
  features: ["allow"],
});

const bodyLimit = middlewarePart({
  part: "body-limit",
  name: bodyLimitName,
  build: (member, _, settings) => bodyLimitMiddleware(member, settings),
  features: ["bodyMiB"],
  fields: { "spec.buffering.maxRequestBodyBytes": { what: `${limitWords.bodyMiB}, in bytes` } },
});

const stripPrefix = middlewarePart({
  part: "middleware",
  name: middlewareName,
  build: middleware,
  features: ["strip"],
});

const backendTransport: RoutePart = {
  part: "transport",
  kind: "ServersTransport",
  place: "controller",
  name: serversTransportName,
  purpose: "treatment",
  build: (member, _, settings) => serversTransport(member, settings),
  features: ["https", "timeoutSeconds"],
  fields: { "spec.forwardingTimeouts.responseHeaderTimeout": { what: limitWords.timeoutSeconds } },
  reference: (member, settings) => reference(serversTransportName(member), settings),
};

const bodyIn = (bytes: unknown) => (typeof bytes === "number" ? { bodyMiB: bytes / 2 ** 20 } : {});

/**
 * Traefik: a path of type Prefix matches by letter unless its provider has `strictPrefixMatching`, so that /bob would match
 * /bobby while that is closed. Exact, and a Prefix with a slash at its end, are the same either way. The rest is
 * Traefik's own resources, named `<namespace>-<name>@kubernetescrd` in annotations.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/ingress/
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export const traefik = ingressDriver({
  prefixes: [prefix],
  annotations: { Ingress: [middlewaresAnnotation], Service: [scheme, transport] },
  apiGroups: ["traefik.containo.us", "traefik.io"],
  caKey: "ca.crt",
  treatments: [login, allow, bodyLimit, stripPrefix, backendTransport],
  paths: (path) =>
    path === "/"
      ? bySegments(path)
      : [
          { path, pathType: "Exact" },
          { path: `${path}/`, pathType: "Prefix" },
        ],
  referring: (treatments, member, settings) => {
    const references = treatments
      .filter(({ kind }) => kind === "Middleware")
      .map(({ name }) => reference(name(member), settings));
    return references.length === 0 ? {} : { [middlewaresAnnotation]: references.join() };
  },
  onService: (member, settings) => ({
    ...(settings.route.backend.protocol === "HTTPS" ? { [scheme]: "https" } : {}),
    ...(usedIn([backendTransport], settings).length === 0
      ? {}
      : { [transport]: reference(serversTransportName(member), settings) }),
  }),
  tlsOf: ({ kind, annotations, spec }) => {
    if (kind === "ServersTransport" && spec.serverName !== undefined) {
      return spec.insecureSkipVerify === true ? "unchecked" : { name: spec.serverName };
    }
    return annotations[scheme] === "https" ? "unchecked" : undefined;
  },
  // Names are not part of it: the second one asks at another path.
  loginOf: ({ spec }) => {
    const address = valueAt(spec, ["forwardAuth", "address"]);
    return { [String(address).includes("/oauth2/auth") ? "allow" : "login"]: address };
  },
  strips: ({ kind, spec }) => kind === "Middleware" && spec.stripPrefix !== undefined,
  limitsOf: ({ spec }) => ({
    ...bodyIn(valueAt(spec, ["buffering", "maxRequestBodyBytes"])),
    ...readLimit("timeoutSeconds", valueAt(spec, ["forwardingTimeouts", "responseHeaderTimeout"]), "s"),
  }),
});

/**
 * Strips a member's path from requests.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/stripprefix/
 */
function middleware(member: Member, { path }: MemberRoute, settings: Settings) {
  return {
    metadata: metadataOf(middlewareName(member), member, settings, { namespace: settings.route.namespace }),
    spec: { stripPrefix: { prefixes: [path] } },
  };
}

/**
 * Limits the body of requests. Traefik then also holds each answer back until it is complete.
 * @throws Error if the settings have no such limit
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/buffering/
 */
function bodyLimitMiddleware(member: Member, settings: Settings) {
  const { namespace, limits: { bodyMiB } = {} } = settings.route;
  if (bodyMiB === undefined) {
    throw new Error("route.limits.bodyMiB is missing: no route has a Middleware for it without it");
  }
  return {
    metadata: metadataOf(bodyLimitName(member), member, settings, { namespace }),
    spec: { buffering: { maxRequestBodyBytes: bodyMiB * 2 ** 20 } },
  };
}

/**
 * Asks the proxy whether a visitor has signed in. Traefik passes any answer but a 2xx on to the visitor, so that the proxy can
 * send them to sign in, and answers 500 itself if the proxy doesn't.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/forwardauth/
 */
const loginMiddleware = (member: Member, settings: Settings) =>
  asking(loginName(member), signedInUrl(settings), member, settings);

/** Asks the proxy whether a visitor who has signed in may use the member's path. */
const allowMiddleware = (member: Member, settings: Settings) =>
  asking(allowName(member), letInUrl(member, settings), member, settings);

function asking(name: string, address: string, member: Member, settings: Settings) {
  return {
    metadata: metadataOf(name, member, settings, { namespace: settings.route.namespace }),
    spec: askingLogin(address),
  };
}

/** @param address URL that answers with 2xx for those who are let in */
export const askingLogin = (address: string) => ({
  forwardAuth: { address, authResponseHeaders: [...visitorHeaders] },
});

/**
 * Traefik's connection to a member's Service: how long it waits for an answer to begin, and TLS. Traefik verifies by
 * default, so with HTTPS this is there in any case.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export function serversTransport(member: Member, settings: Settings) {
  const { namespace, backend, limits: { timeoutSeconds } = {} } = settings.route;
  return {
    metadata: metadataOf(serversTransportName(member), member, settings, { namespace }),
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
