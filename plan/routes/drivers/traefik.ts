import type { RouteSettings } from "../../../config/model/settings.ts";
import { middlewareName, serversTransportName } from "../../../naming/names.ts";
import { middleware, serversTransport } from "../../objects/route/traefik.ts";
import type { RoutePart } from "./driver.ts";
import { bySegments, ingressDriver } from "./ingressDriver.ts";

const prefix = "traefik.ingress.kubernetes.io/";
const middlewares = `${prefix}router.middlewares`;
const scheme = `${prefix}service.serversscheme`;
const transport = `${prefix}service.serverstransport`;

/** Name of a Traefik resource in annotations. */
const reference = (name: string, { route }: { readonly route: Pick<RouteSettings, "namespace"> }) =>
  `${route.namespace}-${name}@kubernetescrd`;

const stripPrefix: RoutePart = {
  part: "middleware",
  kind: "Middleware",
  place: "controller",
  name: middlewareName,
  purpose: "treatment",
  build: middleware,
  reference: { from: "Ingress", words: (member, settings) => reference(middlewareName(member), settings) },
};

const backendTls: RoutePart = {
  part: "transport",
  kind: "ServersTransport",
  place: "controller",
  name: serversTransportName,
  purpose: "treatment",
  build: (member, _, settings) => serversTransport(member, settings),
  reference: { from: "Service", words: (member, settings) => reference(serversTransportName(member), settings) },
};

/**
 * Traefik: a path of type Prefix matches by letter unless its provider has `strictPrefixMatching`, so that /bob would match
 * /bobby while that is closed. Exact, and a Prefix with a slash at its end, are the same either way. Stripping and TLS are
 * Traefik's own resources, named `<namespace>-<name>@kubernetescrd` in annotations.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/ingress/
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export const traefik = ingressDriver({
  prefixes: [prefix],
  annotations: { Ingress: [middlewares], Service: [scheme, transport] },
  apiGroups: ["traefik.containo.us", "traefik.io"],
  caKey: "ca.crt",
  treatments: [stripPrefix, backendTls],
  paths: (path) =>
    path === "/"
      ? bySegments(path)
      : [
          { path, pathType: "Exact" },
          { path: `${path}/`, pathType: "Prefix" },
        ],
  stripping: (_, member, settings) => ({ [middlewares]: reference(middlewareName(member), settings) }),
  tlsOnService: (member, settings) => ({
    [scheme]: "https",
    [transport]: reference(serversTransportName(member), settings),
  }),
  tlsOf: ({ kind, annotations, spec }) => {
    if (kind === "ServersTransport") {
      return spec.insecureSkipVerify === true ? "unchecked" : { name: spec.serverName };
    }
    return annotations[scheme] === "https" ? "unchecked" : undefined;
  },
  strips: ({ kind }) => kind === "Middleware",
});
