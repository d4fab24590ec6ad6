import type { IngressController } from "./settings.ts";

/** What the names of an ingress controller's parts are, where it was installed as its documentation says. */
export interface ControllerNames {
  readonly namespace: string;
  readonly className: string;
}

export const controllerNames: Readonly<Record<IngressController, ControllerNames>> = {
  "ingress-nginx": { namespace: "ingress-nginx", className: "nginx" },
  traefik: { namespace: "traefik", className: "traefik" },
  haproxy: { namespace: "haproxy-controller", className: "haproxy" },
  contour: { namespace: "projectcontour", className: "contour" },
};
