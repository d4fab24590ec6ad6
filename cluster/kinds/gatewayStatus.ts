import type { V1Condition } from "@kubernetes/client-node";
import { apiGroup } from "../../config/names/customKinds.ts";
import type { GatewaySettings } from "../../config/route/route.ts";
import { gatewayApi } from "./apiVersions.ts";

/** @see https://gateway-api.sigs.k8s.io/reference/api-spec/main/spec/#parentreference */
export interface ParentRef {
  readonly group?: string;
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Status {
  readonly parents?: readonly { readonly parentRef: ParentRef; readonly conditions?: readonly V1Condition[] }[];
}

const group = apiGroup(gatewayApi);

/**
 * Whether a route's parent is a Gateway: another kind, or another namespace, may have one of its name. A ListenerSet beside the
 * Gateway counts as its own, since a route does not say of which Gateway the set is.
 */
export const isParent = (parent: ParentRef, gateway: GatewaySettings, routeNamespace: string | undefined): boolean =>
  (parent.group ?? group) === group &&
  (parent.kind === "ListenerSet" || ((parent.kind ?? "Gateway") === "Gateway" && parent.name === gateway.name)) &&
  (parent.namespace ?? routeNamespace) === gateway.namespace;

/** Why this Gateway (default: any) does not serve an HTTPRoute; undefined if it does, or has not reported yet. */
export function refusalOf(route: object, gateway?: GatewaySettings): string | undefined {
  const refused = conditionsOf(route, gateway).find(
    ({ type, status }) => ["Accepted", "ResolvedRefs"].includes(type) && status === "False",
  );
  return refused === undefined ? undefined : wordsOf(refused);
}

/** Whether this Gateway says that it takes no requests for an HTTPRoute: another may have its address. */
export const isRejected = (route: object, gateway: GatewaySettings): boolean =>
  conditionsOf(route, gateway).some(({ type, status }) => type === "Accepted" && status === "False");

function conditionsOf(route: object, gateway: GatewaySettings | undefined): V1Condition[] {
  const { parents = [] } = (Reflect.get(route, "status") ?? {}) as Status;
  return parents
    .filter(({ parentRef }) => gateway === undefined || isParent(parentRef, gateway, undefined))
    .flatMap(({ conditions = [] }) => conditions);
}

/** Why no controller serves a Gateway; undefined if one reports that it does. */
export function unprogrammed(gateway: object): string | undefined {
  const { conditions = [] } = (Reflect.get(gateway, "status") ?? {}) as {
    readonly conditions?: readonly V1Condition[];
  };
  const programmed = conditions.find(({ type }) => type === "Programmed");
  if (programmed?.status === "True") {
    return undefined;
  }
  return programmed === undefined ? "no controller has said anything of it" : wordsOf(programmed);
}

const wordsOf = ({ reason, message }: V1Condition) => [reason, message].filter((word) => word !== "").join(": ");
