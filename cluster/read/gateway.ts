import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../../config/model/settings.ts";
import type { ApiServer } from "../api/client.ts";
import { allOf, kinds, listPath, oneOf, resourceOf } from "../kinds/kinds.ts";
import type { Lists } from "./refusals.ts";

/**
 * All HTTPRoutes with some labels; none where the API server does not know any.
 * @param query such as `?labelSelector=team%3Da`
 */
export async function httpRoutesIfAny(query: string, server: ApiServer): Promise<KubernetesObject[]> {
  return (await server.has(resourceOf("HTTPRoute"), kinds.HTTPRoute.apiVersion))
    ? await server.list<KubernetesObject>({ ...allOf("HTTPRoute"), path: listPath("HTTPRoute") + query })
    : [];
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
