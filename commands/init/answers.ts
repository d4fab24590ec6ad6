import type { IngressController } from "../../config/route/controllers.ts";

export interface Answers {
  readonly host: string;
  readonly route: FirstRoute;
  /** URL of the OpenID Connect issuer; undefined for a cluster with another way to sign in. */
  readonly issuer?: string | undefined;
  readonly clientId: string;
  /** The first members of the list; at least one. */
  readonly members: readonly FirstMember[];
}

/** What makes members' routes, as the setting `route` has it. */
type FirstRoute =
  | { readonly controller: IngressController }
  | { readonly kind: "gateway"; readonly gateway: { readonly name: string; readonly namespace: string } };

interface FirstMember {
  readonly member: string;
  readonly type: string;
}

/** Parses `ada:user`; undefined for anything else. */
export function firstMember(text: string): FirstMember | undefined {
  const [, member, type] = /^([^:]+):([^:]+)$/.exec(text) ?? [];
  return member === undefined || type === undefined ? undefined : { member, type };
}

/** Parses `gateways/public`, a Gateway's namespace and name; undefined for anything else. */
export function gatewayRoute(text: string): FirstRoute | undefined {
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  return namespace === undefined || name === undefined ? undefined : { kind: "gateway", gateway: { name, namespace } };
}
