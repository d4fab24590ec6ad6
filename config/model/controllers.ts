import type { RouteSettings } from "./settings.ts";

/** Kinds that controllers have of their own, and that members' routes are made of. */
export type ControllerResource = "Middleware" | "ServersTransport";

/** What a stack's settings may ask of an ingress controller, and the names of its parts where its own guide installed it. */
export interface Controller {
  readonly namespace: string;
  readonly className: string;
  /** The kind of what has members' paths. Default: Ingress. */
  readonly door?: ControllerResource;
  /** What it takes for Services of type ExternalName to lead anywhere; one line of Markdown. */
  readonly externalName: string;
  /** What strips a path; absent where no Ingress can. */
  readonly strip?: { readonly by: "annotations" | ControllerResource };
  readonly https: {
    readonly by: "annotations" | ControllerResource;
    /** What of a certificate can be verified. */
    readonly verifies: readonly ("CA" | "name")[];
  };
}

/**
 * The ingress controllers that kubecamp knows, each with a driver in plan/routes/drivers. docs/run/routes.md shows this table to
 * users.
 */
const known = {
  "ingress-nginx": {
    namespace: "ingress-nginx",
    className: "nginx",
    externalName: "nothing, unless it runs with `--disable-svc-external-name`",
    strip: { by: "annotations" },
    https: { by: "annotations", verifies: ["CA", "name"] },
  },
  traefik: {
    namespace: "traefik",
    className: "traefik",
    externalName: "`providers.kubernetesIngress.allowExternalNameServices: true`",
    strip: { by: "Middleware" },
    https: { by: "ServersTransport", verifies: ["CA", "name"] },
  },
  haproxy: {
    namespace: "haproxy-controller",
    className: "haproxy",
    externalName: "nothing, unless it runs with `--disable-service-external-name`",
    strip: { by: "annotations" },
    // Its annotations have no place for the name that a certificate is for.
    https: { by: "annotations", verifies: ["CA"] },
  },
  contour: {
    namespace: "projectcontour",
    className: "contour",
    externalName: "`enableExternalNameService: true` in its configuration",
    // Rewrites and verifies for its own HTTPProxy only, not for an Ingress.
    https: { by: "annotations", verifies: [] },
  },
} satisfies Readonly<Record<string, Controller>>;

/** An ingress controller that kubecamp knows the annotations of. */
export type IngressController = keyof typeof known;

export const controllers: Readonly<Record<IngressController, Controller>> = known;

export const ingressControllers = Object.keys(known) as [IngressController, ...IngressController[]];

/** The kind of what has the paths of a stack's members. */
export const doorOf = ({ kind, controller }: Pick<RouteSettings, "kind" | "controller">) =>
  kind === "gateway" ? "HTTPRoute" : (controllers[controller].door ?? "Ingress");
