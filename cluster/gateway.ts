import type { KubernetesObject } from "@kubernetes/client-node";
import type { Settings } from "../config/settings.ts";
import { backendCaName } from "../naming/names.ts";
import type { ApiServer, ListRequest } from "./apiServer/client.ts";

const groupVersion = "gateway.networking.k8s.io/v1";
const api = `/apis/${groupVersion}`;

/** All there are. */
export const httpRoutes: ListRequest = { what: "the HTTPRoutes", path: `${api}/httproutes`, kind: "HTTPRoute" };

/**
 * All HTTPRoutes with some labels; none where the API server does not know any.
 * @param query such as `?labelSelector=team%3Da`
 */
export async function httpRoutesIfAny(query: string, server: ApiServer): Promise<KubernetesObject[]> {
  return (await server.has("httproutes", groupVersion))
    ? await server.list<KubernetesObject>({ ...httpRoutes, path: httpRoutes.path + query })
    : [];
}

/** What routes are made of where they are a Gateway's; other clusters need not know these kinds. */
export function gatewayKinds({ route }: Settings, server: ApiServer) {
  const isGateway = route.kind === "gateway";
  const speaksTls = isGateway && route.backend.protocol === "HTTPS";
  const list = async (wanted: boolean, request: ListRequest) =>
    wanted ? await server.list<KubernetesObject>(request) : [];
  return {
    HTTPRoute: list(isGateway, httpRoutes),
    BackendTLSPolicy: list(speaksTls, {
      what: "the BackendTLSPolicies",
      path: `${api}/backendtlspolicies`,
      kind: "BackendTLSPolicy",
    }),
    // Those of this name alone: a cluster is full of others.
    ConfigMap: list(speaksTls && route.backend.ca !== undefined, {
      what: `the ConfigMaps '${backendCaName}'`,
      path: `/api/v1/configmaps?fieldSelector=metadata.name%3D${backendCaName}`,
      kind: "ConfigMap",
    }),
  };
}

/** The Gateway that routes are attached to; undefined where it does not exist, or routes are not a Gateway's. */
export async function readGateway({ route }: Settings, server: ApiServer): Promise<KubernetesObject | undefined> {
  const { kind, gateway } = route;
  if (kind !== "gateway" || gateway === undefined) {
    return undefined;
  }
  const [found] = await server.list<KubernetesObject>({
    what: `the Gateway '${gateway.namespace}/${gateway.name}'`,
    path: `${api}/namespaces/${gateway.namespace}/gateways?fieldSelector=metadata.name%3D${gateway.name}`,
    kind: "Gateway",
  });
  return found;
}
