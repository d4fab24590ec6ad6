import type { KubernetesObject } from "@kubernetes/client-node";
import type { GatewaySettings, Settings } from "../../config/model/settings.ts";
import type { ApiServer } from "../api/client.ts";
import { allOf, kinds, listPath, oneOf, resourceOf } from "../kinds/kinds.ts";
import type { Lists } from "./rights/refusals.ts";

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

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What an HTTPRoute's status says, for each Gateway that it asks to be attached to. */
interface Status {
  readonly parents?: readonly {
    readonly parentRef: { readonly name: string; readonly namespace?: string };
    readonly conditions?: readonly Condition[];
  }[];
}

/**
 * Why a Gateway does not serve an HTTPRoute, in its own words; undefined where it does, or has not said yet.
 * @param gateway the one that is meant; undefined for any
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/#routestatus
 */
export function refusalOf(route: object, gateway?: GatewaySettings): string | undefined {
  const { parents = [] } = (Reflect.get(route, "status") ?? {}) as Status;
  const refused = parents
    .filter(
      ({ parentRef }) =>
        gateway === undefined || (parentRef.name === gateway.name && parentRef.namespace === gateway.namespace),
    )
    .flatMap(({ conditions = [] }) => conditions)
    .find(({ type, status }) => ["Accepted", "ResolvedRefs"].includes(type) && status === "False");
  return refused === undefined ? undefined : wordsOf(refused);
}

/**
 * Why no controller serves a Gateway; undefined where one says that it does.
 * @see https://gateway-api.sigs.k8s.io/api-types/gateway/#gateway-status
 */
export function unprogrammed(gateway: object): string | undefined {
  const { conditions = [] } = (Reflect.get(gateway, "status") ?? {}) as { readonly conditions?: readonly Condition[] };
  const programmed = conditions.find(({ type }) => type === "Programmed");
  if (programmed?.status === "True") {
    return undefined;
  }
  return programmed === undefined ? "no controller has said anything of it" : wordsOf(programmed);
}

const wordsOf = ({ reason, message }: Condition) => [reason, message].filter((word) => word !== "").join(": ");
