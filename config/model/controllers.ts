import type { IngressController } from "./settings.ts";

type Annotations = Readonly<Record<string, string>>;

/** How a Service is spoken to over TLS, as far as a controller's annotations can say it. */
export interface BackendTls {
  /** Namespace and name of the Secret that has the CA, as `ingress-nginx/ca`; absent where nothing is verified. */
  readonly ca?: string;
  /** Name that the certificate is for. */
  readonly serverName: string;
}

/** What an ingress controller takes beyond the Ingress API, and the names of its parts where its own guide installed it. */
export interface Controller {
  readonly namespace: string;
  readonly className: string;
  /** What it takes for Services of type ExternalName to lead anywhere; one line of Markdown. */
  readonly externalName: string;
  /** What the annotations begin with that it reads, of Ingresses or of the Services behind them. */
  readonly prefixes: readonly string[];
  /** The paths of an Ingress that catch a member's path and what is below it, and nobody else's. */
  readonly paths: (path: string, stripped: boolean) => readonly IngressPath[];
  /** What strips a path; absent where no Ingress can. */
  readonly strip?: {
    readonly by: "annotations" | "Middleware";
    /** Of the Ingress; `resource` is the Middleware's name as Traefik writes it. */
    readonly annotations: (path: string, resource: string) => Annotations;
  };
  readonly https: {
    readonly by: "annotations" | "ServersTransport";
    /** Of the Ingress. */
    readonly onIngress?: (tls: BackendTls) => Annotations;
    /** Of the Service beside the controller; `resource` is the ServersTransport's name as Traefik writes it. */
    readonly onService?: (resource: string) => Annotations;
    /** What of a certificate can be verified. */
    readonly verifies: readonly ("CA" | "name")[];
    /** Under which key of a Secret the controller looks for a CA. */
    readonly caKey: "ca.crt" | "tls.crt";
  };
}

/** One path of an Ingress. */
export interface IngressPath {
  readonly path: string;
  /** @see https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types */
  readonly pathType: "Exact" | "Prefix" | "ImplementationSpecific";
}

/** Caught segment by segment, as the Ingress API says, in which the root's subpaths are all paths. */
const bySegments = (path: string): IngressPath[] => [{ path, pathType: "Prefix" }];

/** For a path as members can have one: only its dots mean something in a regular expression. */
const literal = (path: string) => path.replaceAll(".", "[.]");

const nginx = "nginx.ingress.kubernetes.io";
const haproxy = "haproxy.org";
const traefik = "traefik.ingress.kubernetes.io";
const contour = "projectcontour.io";

/**
 * The ingress controllers that kubecamp knows. docs/routes.md shows this table to users.
 *
 * - ingress-nginx: a rewrite on any Ingress makes every path of its host a regular expression that minds no case, longest
 *   first, so it is for all members or none. A Secret of a CA alone will do.
 *   https://kubernetes.github.io/ingress-nginx/user-guide/ingress-path-matching/
 *   https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#backend-certificate-authentication
 * - Traefik: a path of type Prefix is caught letter by letter unless its provider has `strictPrefixMatching`, so that /bob
 *   would catch a /bobby that is not open; Exact and a Prefix with a slash at its end say the same either way. Stripping
 *   and TLS are resources of its own, named `<namespace>-<name>@kubernetescrd` in annotations.
 *   https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/ingress/
 *   https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 * - HAProxy: its annotations have no place for the name that a certificate is for.
 *   https://github.com/haproxytech/kubernetes-ingress/blob/master/documentation/annotations.md
 * - Contour: rewrites and verifies for its own HTTPProxy only, not for an Ingress.
 *   https://projectcontour.io/docs/main/config/annotations/
 */
export const controllers: Readonly<Record<IngressController, Controller>> = {
  "ingress-nginx": {
    namespace: "ingress-nginx",
    className: "nginx",
    externalName: "nothing, unless it runs with `--disable-svc-external-name`",
    prefixes: [`${nginx}/`],
    paths: (path, stripped) =>
      stripped && path !== "/"
        ? [{ path: `${literal(path)}(/|$)(.*)`, pathType: "ImplementationSpecific" }]
        : bySegments(path),
    strip: {
      by: "annotations",
      annotations: (path) =>
        path === "/" ? {} : { [`${nginx}/use-regex`]: "true", [`${nginx}/rewrite-target`]: "/$2" },
    },
    https: {
      by: "annotations",
      onIngress: ({ ca, serverName }) => ({
        [`${nginx}/backend-protocol`]: "HTTPS",
        ...(ca === undefined
          ? {}
          : {
              [`${nginx}/proxy-ssl-secret`]: ca,
              [`${nginx}/proxy-ssl-verify`]: "on",
              [`${nginx}/proxy-ssl-name`]: serverName,
              [`${nginx}/proxy-ssl-server-name`]: "on",
            }),
      }),
      verifies: ["CA", "name"],
      caKey: "ca.crt",
    },
  },
  traefik: {
    namespace: "traefik",
    className: "traefik",
    externalName: "`providers.kubernetesIngress.allowExternalNameServices: true`",
    prefixes: [`${traefik}/`],
    paths: (path) =>
      path === "/"
        ? bySegments(path)
        : [
            { path, pathType: "Exact" },
            { path: `${path}/`, pathType: "Prefix" },
          ],
    strip: {
      by: "Middleware",
      annotations: (path, resource) => (path === "/" ? {} : { [`${traefik}/router.middlewares`]: resource }),
    },
    https: {
      by: "ServersTransport",
      onService: (resource) => ({
        [`${traefik}/service.serversscheme`]: "https",
        [`${traefik}/service.serverstransport`]: resource,
      }),
      verifies: ["CA", "name"],
      caKey: "ca.crt",
    },
  },
  haproxy: {
    namespace: "haproxy-controller",
    className: "haproxy",
    externalName: "nothing, unless it runs with `--disable-service-external-name`",
    prefixes: [`${haproxy}/`, "haproxy.com/", "ingress.kubernetes.io/"],
    paths: bySegments,
    strip: {
      by: "annotations",
      annotations: (path) => (path === "/" ? {} : { [`${haproxy}/path-rewrite`]: `^${literal(path)}(/|$)(.*) /\\2` }),
    },
    https: {
      by: "annotations",
      onIngress: ({ ca }) => ({
        [`${haproxy}/server-ssl`]: "true",
        ...(ca === undefined ? {} : { [`${haproxy}/server-ca`]: ca }),
      }),
      verifies: ["CA"],
      caKey: "tls.crt",
    },
  },
  contour: {
    namespace: "projectcontour",
    className: "contour",
    externalName: "`enableExternalNameService: true` in its configuration",
    prefixes: [`${contour}/`],
    paths: bySegments,
    https: {
      by: "annotations",
      onService: () => ({ [`${contour}/upstream-protocol.tls`]: "443" }),
      verifies: [],
      caKey: "ca.crt",
    },
  },
};
