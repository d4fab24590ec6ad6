import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings.ts";
import { backendCaName } from "../../naming/names.ts";
import type { Lists } from "../../plan/decisions/unread/refusals.ts";
import type { KindOfRoute } from "../../plan/routes/drivers/driver.ts";
import { kindsOfRoute } from "../../plan/routes/routeKinds.ts";
import type { ApiServer, ListRequest } from "../api/client.ts";
import { allNamed, allOf, kinds, listPath, oneOf, resourceOf } from "../kinds/kinds.ts";

/**
 * All HTTPRoutes with some labels; none where the API server does not know any.
 * @param query such as `?labelSelector=team%3Da`
 */
export async function httpRoutesIfAny(query: string, server: ApiServer): Promise<KubernetesObject[]> {
  return (await server.has(resourceOf("HTTPRoute"), kinds.HTTPRoute.apiVersion))
    ? await server.list<KubernetesObject>({ ...allOf("HTTPRoute"), path: listPath("HTTPRoute") + query })
    : [];
}

/** What routes are made of where they are a Gateway's; other clusters need not know these kinds. */
export function gatewayKinds(settings: Settings, server: Lists) {
  const wanted = kindsOfRoute(settings);
  const list = async (request: ListRequest & { kind: KindOfRoute }) =>
    wanted.includes(request.kind) ? await server.list<KubernetesObject>(request) : [];
  return {
    HTTPRoute: list(allOf("HTTPRoute")),
    BackendTLSPolicy: list(allOf("BackendTLSPolicy")),
    ConfigMap: list(allNamed("ConfigMap", backendCaName)),
  };
}

/** The Gateway that routes are attached to; undefined where it does not exist, or routes are not a Gateway's. */
export async function readGateway({ route }: Settings, server: Lists): Promise<KubernetesObject | undefined> {
  const { kind, gateway } = route;
  if (kind !== "gateway" || gateway === undefined) {
    return undefined;
  }
  const [found] = await server.list<KubernetesObject>(oneOf("Gateway", gateway.name, gateway.namespace));
  return found;
}
