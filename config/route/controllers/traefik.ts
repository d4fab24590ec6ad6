import { valueAt } from "../../values/mistakes.ts";
import { readLimit } from "../limits.ts";
import { bySegments, type Controller } from "./controller.ts";

const prefix = "traefik.ingress.kubernetes.io/";

export const traefikAnnotations = {
  middlewares: `${prefix}router.middlewares`,
  transport: `${prefix}service.serverstransport`,
} as const;

const scheme = `${prefix}service.serversscheme`;

const bodyIn = (bytes: unknown) => (typeof bytes === "number" ? { bodyMiB: bytes / 2 ** 20 } : {});

/**
 * A path of type Prefix matches by letter unless its provider has `strictPrefixMatching`, so that /bob would match /bobby
 * while that is closed. Exact, and a Prefix with a slash at its end, are the same either way. The rest is Traefik's own
 * resources, which objects/route/drivers/traefik.ts builds.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/ingress/
 */
export const traefik: Controller = {
  isFor: "all that routes can have, also a login",
  namespace: "traefik",
  className: "traefik",
  places: ["member", "controller"],
  externalName: "`providers.kubernetesIngress.allowExternalNameServices: true`",
  by: {
    strip: "Middleware",
    https: "ServersTransport",
    bodyMiB: "Middleware",
    timeoutSeconds: "ServersTransport",
    websockets: "always",
    login: "Middleware",
    allow: "Middleware",
  },
  byService: ["https", "timeoutSeconds"],
  verifies: ["CA", "name"],
  prefixes: [prefix],
  annotations: {
    Ingress: [traefikAnnotations.middlewares],
    Service: [scheme, traefikAnnotations.transport],
  },
  apiGroups: ["traefik.containo.us", "traefik.io"],
  caKey: "ca.crt",
  paths: (path) =>
    path === "/"
      ? bySegments(path)
      : [
          { path, pathType: "Exact" },
          { path: `${path}/`, pathType: "Prefix" },
        ],
  tlsOnService: { [scheme]: "https" },
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
};
