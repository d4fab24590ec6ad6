import { contour } from "./controllers/contour.ts";
import type { Controller } from "./controllers/controller.ts";
import { haproxy } from "./controllers/haproxy.ts";
import { ingressNginx } from "./controllers/ingressNginx.ts";
import { traefik } from "./controllers/traefik.ts";

/** The ingress controllers that kubecamp knows. docs/run/routes.md shows this table. */
const known = { "ingress-nginx": ingressNginx, traefik, haproxy, contour };

export type IngressController = keyof typeof known;

export const controllers: Readonly<Record<IngressController, Controller>> = known;

export const ingressControllers = Object.keys(known) as [IngressController, ...IngressController[]];

/** Controllers that can ask for a login, for messages. */
export const askingControllers = ingressControllers.filter((name) => controllers[name].by.login !== undefined);
