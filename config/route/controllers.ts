import { contour } from "./controllers/contour.ts";
import type { Controller } from "./controllers/controller.ts";
import { haproxy } from "./controllers/haproxy.ts";
import { ingressNginx } from "./controllers/ingressNginx.ts";
import { traefik } from "./controllers/traefik.ts";

/** The ingress controllers that kubecamp knows, those to choose first. docs/run/routes.md shows this table. */
const known = { traefik, haproxy, contour, "ingress-nginx": ingressNginx };

export type IngressController = keyof typeof known;

export const controllers: Readonly<Record<IngressController, Controller>> = known;

export const ingressControllers = Object.keys(known) as [IngressController, ...IngressController[]];

/** What serves members' paths. */
export type ServerName = "gateway" | IngressController;

/** What each is for, the one to choose first at the beginning. */
export const serverUses = {
  gateway: "a cluster with a Gateway: a login by Envoy Gateway alone, no limit on bodies",
  ...Object.fromEntries(ingressControllers.map((name) => [name, controllers[name].isFor])),
} as Readonly<Record<ServerName, string>>;

/** The controllers with what each is for, on one line. */
export const controllerChoices = ingressControllers.map((name) => `${name} (for ${serverUses[name]})`).join(", ");

/** Prefixes of the annotations that controllers read. */
export const controllerPrefixes = Object.values(controllers).flatMap(({ prefixes }) => prefixes);

/** Controllers that can ask for a login, for messages. */
export const askingControllers = ingressControllers.filter((name) => controllers[name].by.login !== undefined);
