import type { LimitKey } from "./limits.ts";

interface ControllerResource {
  readonly apiVersion: string;
  /** Plural in messages and, in lower case, in paths. */
  readonly plural: string;
}

type Way = "annotations" | ControllerKind;

/** Something that a route asks of its ingress controller beyond the Ingress API. */
export type RouteFeature =
  | "strip"
  | "https"
  | LimitKey
  /** A visitor has signed in. */
  | "login"
  /** The visitor is one of those whom `route.login.allow` names. */
  | "allow";

/** An ingress controller: its usual names, as its own guide installs it, and the settings that it supports. */
interface Controller {
  readonly namespace: string;
  readonly className: string;
  /** Setting that the controller needs for Services of type ExternalName; one line of Markdown. */
  readonly externalName: string;
  /** The way to ask for each feature; absent where no Ingress can. `always`: it can't be switched off. */
  readonly by: { readonly https: Way } & { readonly [F in RouteFeature]?: Way | "always" };
  /** Parts of a certificate that the controller can verify. */
  readonly verifies: readonly ("CA" | "name")[];
  /** For `login` by annotations: it sends browsers to sign in, and its annotation takes these characters only. */
  readonly signsIn?: { readonly characters: RegExp };
}

/** These resources by kind. Their rows in the registry of kinds follow from this table and the next. */
export const controllerResources = {
  Middleware: { apiVersion: "traefik.io/v1alpha1", plural: "Middlewares" },
  ServersTransport: { apiVersion: "traefik.io/v1alpha1", plural: "ServersTransports" },
} as const satisfies Readonly<Record<string, ControllerResource>>;

export type ControllerKind = keyof typeof controllerResources;

/** The ingress controllers that kubecamp knows, each with a driver. docs/run/routes.md shows this table. */
const known = {
  "ingress-nginx": {
    namespace: "ingress-nginx",
    className: "nginx",
    externalName: "nothing, unless it runs with `--disable-svc-external-name`",
    by: {
      strip: "annotations",
      https: "annotations",
      bodyMiB: "annotations",
      timeoutSeconds: "annotations",
      websockets: "always",
      login: "annotations",
      allow: "annotations",
    },
    verifies: ["CA", "name"],
    // It leaves an Ingress with any other in `auth-url` out.
    signsIn: { characters: /^[-._~a-zA-Z0-9/:]*$/ },
  },
  traefik: {
    namespace: "traefik",
    className: "traefik",
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
    verifies: ["CA", "name"],
  },
  haproxy: {
    namespace: "haproxy-controller",
    className: "haproxy",
    externalName: "nothing, unless it runs with `--disable-service-external-name`",
    // It has no annotation for the size of requests, and none that asks another server.
    by: { strip: "annotations", https: "annotations", timeoutSeconds: "annotations", websockets: "always" },
    // Nor for the name that a certificate is for.
    verifies: ["CA"],
  },
  contour: {
    namespace: "projectcontour",
    className: "contour",
    externalName: "`enableExternalNameService: true` in its configuration",
    // Contour rewrites, limits requests, verifies and asks a login only for its own HTTPProxy, not for an Ingress.
    by: { https: "annotations", timeoutSeconds: "annotations", websockets: "annotations" },
    verifies: [],
  },
} satisfies Readonly<Record<string, Controller>>;

export type IngressController = keyof typeof known;

export const controllers: Readonly<Record<IngressController, Controller>> = known;

export const ingressControllers = Object.keys(known) as [IngressController, ...IngressController[]];

/** Controllers that can ask for a login, for messages. */
export const askingControllers = ingressControllers.filter((name) => controllers[name].by.login !== undefined);
