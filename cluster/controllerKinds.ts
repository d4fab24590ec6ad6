import type { KubernetesObject } from "@kubernetes/client-node";
import { controllers } from "../config/controllers.ts";
import type { Settings } from "../config/settings.ts";
import { backendCaSecretName } from "../naming/names.ts";
import type { ApiServer, ListRequest } from "./apiServer/client.ts";
import type { ObjectName } from "./snapshot.ts";

/** Which resources of the controller's own an Ingress refers to, beside what every cluster knows. */
export function ownKindsOf({
  route,
}: Pick<Settings, "route">): Extract<ObjectName["kind"], "Middleware" | "ServersTransport">[] {
  const { strip, https } = controllers[route.controller];
  const isIngress = route.kind === "ingress";
  return [
    ...(isIngress && route.rewrite === "strip" && strip?.by === "Middleware" ? ["Middleware" as const] : []),
    ...(isIngress && route.backend.protocol === "HTTPS" && https.by === "ServersTransport"
      ? ["ServersTransport" as const]
      : []),
  ];
}

/** Whether Ingresses refer to a Secret with the CA of members' Services. */
export const hasBackendCaSecret = ({ route }: Pick<Settings, "route">) =>
  route.kind === "ingress" && route.backend.protocol === "HTTPS" && route.backend.ca !== undefined;

/** What Ingresses refer to beside the controller; other clusters need not know these kinds. */
export function controllerKinds(settings: Settings, server: ApiServer) {
  const { namespace } = settings.route;
  const kinds: readonly string[] = ownKindsOf(settings);
  const list = async (wanted: boolean, request: ListRequest) =>
    wanted ? await server.list<KubernetesObject>(request) : [];
  const own = (kind: "Middleware" | "ServersTransport") => {
    const resource = `${kind.toLowerCase()}s`;
    const what = `the ${kind}s of namespace '${namespace}'`;
    const path = `/apis/traefik.io/v1alpha1/namespaces/${namespace}/${resource}`;
    return list(kinds.includes(kind), { what, path, kind });
  };
  const secret = backendCaSecretName(settings);
  return {
    Middleware: own("Middleware"),
    ServersTransport: own("ServersTransport"),
    // That one alone: the others are none of our business.
    Secret: list(hasBackendCaSecret(settings), {
      what: `the Secret '${namespace}/${secret}'`,
      path: `/api/v1/namespaces/${namespace}/secrets?fieldSelector=metadata.name%3D${secret}`,
      kind: "Secret",
    }),
  };
}
