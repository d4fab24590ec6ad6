import { controllers } from "../../config/model/controllers.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { KindOfRoute } from "./stackKinds.ts";

/**
 * What an open route is made of, each after what it refers to.
 * @param path the member's; default: any that routes of this stack can have
 */
export function kindsOfRoute({ route }: Pick<Settings, "route">, path?: string): KindOfRoute[] {
  const { strip, https } = controllers[route.controller];
  const speaksTls = route.backend.protocol === "HTTPS";
  if (route.kind === "gateway") {
    return [
      ...(speaksTls && route.backend.ca !== undefined ? ["ConfigMap" as const] : []),
      // Before the route, so that no request goes to the Service's HTTPS port without TLS.
      ...(speaksTls ? ["BackendTLSPolicy" as const] : []),
      "HTTPRoute",
    ];
  }
  return [
    // On a host of the member's own there is nothing to strip.
    ...(route.rewrite === "strip" && strip?.by === "Middleware" && path !== "/" ? ["Middleware" as const] : []),
    ...(speaksTls && https.by === "ServersTransport" ? ["ServersTransport" as const] : []),
    "Service",
    "Ingress",
  ];
}

/** Whether a member's route has a ConfigMap, which has to fit into their namespace. */
export const needsConfigMap = ({ route }: Pick<Member, "route">, settings: Pick<Settings, "route">): boolean =>
  kindsOfRoute(settings, route?.path).includes("ConfigMap");
