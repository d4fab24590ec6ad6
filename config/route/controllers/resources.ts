interface ControllerResource {
  readonly apiVersion: string;
  /** Plural in messages and, in lower case, in paths. */
  readonly plural: string;
}

/** Custom resources of controllers that members' routes can consist of. The registry of kinds follows from this table. */
export const controllerResources = {
  Middleware: { apiVersion: "traefik.io/v1alpha1", plural: "Middlewares" },
  ServersTransport: { apiVersion: "traefik.io/v1alpha1", plural: "ServersTransports" },
} as const satisfies Readonly<Record<string, ControllerResource>>;

export type ControllerKind = keyof typeof controllerResources;
