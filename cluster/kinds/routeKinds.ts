import { type ControllerResource, controllers } from "../../config/model/controllers.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { KindOfRoute } from "./stackKinds.ts";

/**
 * Kinds of what an open route is made of.
 * @param path the member's; default: any that routes of this stack can have
 */
export function kindsOfRoute({ route }: Pick<Settings, "route">, path?: string): KindOfRoute[] {
  const { strip, https } = controllers[route.controller];
  const speaksTls = route.backend.protocol === "HTTPS";
  if (route.kind === "gateway") {
    return [
      ...(speaksTls && route.backend.ca !== undefined ? ["ConfigMap" as const] : []),
      ...(speaksTls ? ["BackendTLSPolicy" as const] : []),
      "HTTPRoute",
    ];
  }
  return [
    // On a host of the member's own there is nothing to strip.
    ...(route.rewrite === "strip" && path !== "/" ? resource(strip?.by) : []),
    ...(speaksTls ? resource(https.by) : []),
    "Service",
    "Ingress",
  ];
}

const resource = (by: "annotations" | ControllerResource | undefined): KindOfRoute[] =>
  by === undefined || by === "annotations" ? [] : [by];

/** Whether a member's route has a ConfigMap, which has to fit into their namespace. */
export const needsConfigMap = ({ route }: Pick<Member, "route">, settings: Pick<Settings, "route">): boolean =>
  kindsOfRoute(settings, route?.path).includes("ConfigMap");
