import type { GatewaySettings } from "../../config/model/settings.ts";

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
