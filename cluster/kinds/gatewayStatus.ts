import type { V1Condition } from "@kubernetes/client-node";
import type { GatewaySettings } from "../../config/route/route.ts";

interface Status {
  readonly parents?: readonly {
    readonly parentRef: { readonly name: string; readonly namespace?: string };
    readonly conditions?: readonly V1Condition[];
  }[];
}

/** Why this Gateway (default: any) does not serve an HTTPRoute; undefined if it does, or has not reported yet. */
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
