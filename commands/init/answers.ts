import type { IngressController } from "../../config/route/controllers.ts";

export interface Answers {
  readonly host: string;
  readonly controller: IngressController;
  /** URL of the OpenID Connect issuer; undefined for a cluster with another way to sign in. */
  readonly issuer?: string | undefined;
  readonly clientId: string;
  /** The first members of the list; at least one. */
  readonly members: readonly FirstMember[];
}

interface FirstMember {
  readonly member: string;
  readonly type: string;
}

/** Parses `ada:user`; undefined for anything else. */
export function firstMember(text: string): FirstMember | undefined {
  const [, member, type] = /^([^:]+):([^:]+)$/.exec(text) ?? [];
  return member === undefined || type === undefined ? undefined : { member, type };
}
