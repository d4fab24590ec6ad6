import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings.ts";
import { backendCaSecretName } from "../../naming/names.ts";
import type { Lists } from "../../plan/decisions/unread/refusals.ts";
import { kindsOfRoute } from "../../plan/routes/routeKinds.ts";
import type { ListRequest } from "../api/client.ts";
import { allOf, oneOf } from "./kinds.ts";

/** Whether Ingresses refer to a Secret with the CA of members' Services. */
export const hasBackendCaSecret = ({ route }: Pick<Settings, "route">) =>
  route.kind === "ingress" && route.backend.protocol === "HTTPS" && route.backend.ca !== undefined;

/** What Ingresses refer to beside the controller; other clusters need not know these kinds. */
export function controllerKinds(settings: Settings, server: Lists) {
  const { namespace } = settings.route;
  const kinds = kindsOfRoute(settings);
  const list = async (wanted: boolean, request: ListRequest) =>
    wanted ? await server.list<KubernetesObject>(request) : [];
  return {
    Middleware: list(kinds.includes("Middleware"), allOf("Middleware", namespace)),
    ServersTransport: list(kinds.includes("ServersTransport"), allOf("ServersTransport", namespace)),
    // That one alone: the others are none of our business.
    Secret: list(hasBackendCaSecret(settings), oneOf("Secret", backendCaSecretName(settings), namespace)),
  };
}
