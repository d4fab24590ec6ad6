import {
  allowName,
  bodyLimitName,
  loginName,
  middlewareName,
  serversTransportName,
} from "../../../config/names/names.ts";
import type { RouteSettings } from "../../../config/route/route.ts";
import { valueAt } from "../../../config/values/mistakes.ts";
import {
  allowMiddleware,
  bodyLimitMiddleware,
  loginMiddleware,
  middleware,
  serversTransport,
} from "../../../objects/route/traefik.ts";
import { loginWords } from "../login.ts";
import type { RoutePart } from "./driver.ts";
import { bySegments, ingressDriver } from "./ingressDriver.ts";
import { limitWords, readLimit } from "./limits.ts";
import { usedIn } from "./usedParts.ts";

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
