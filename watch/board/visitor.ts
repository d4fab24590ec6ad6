import type { IncomingMessage } from "node:http";
import type { BoardHeader } from "../../config/board.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import type { Configuration } from "../../config/settings.ts";

export type Visitor = { readonly sees: "all" } | { readonly sees: "own"; readonly members: readonly Member[] };

export const visitorNames = (
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  header: BoardHeader,
): readonly string[] => headersDistinct[header.toLowerCase()] ?? [];

/**
 * The visitor with the name that the login's proxy gives; undefined for a stranger. Names match byte for byte.
 * Suspended and expired members, who have no access to the cluster, have none here.
 * @param names as HTTP headers have them: each byte a character
 */
export function visitorOf(
  [value = "", ...others]: readonly string[],
  { settings: { board, oidc }, members }: Configuration,
): Visitor | undefined {
  // A proxy on the way joins a visitor's own value and the login's with a comma.
  if (board === undefined || value === "" || others.length > 0 || value.includes(",")) {
    return undefined;
  }
  if (board.admins.some((admin) => asHeader(admin) === value)) {
    return { sees: "all" };
  }
  const prefix = asHeader(oidc.usernamePrefix);
  const own = members.filter((member) => asHeader(member.username) === prefix + value && hasAccess(member));
  return own.length > 0 ? { sees: "own", members: own } : undefined;
}

/** Proxies send names in UTF-8. */
const asHeader = (text: string) => Buffer.from(text).toString("latin1");

/** Whether a request is for this host. A page elsewhere that gets a browser to call this address asks for its own. */
export function isForHost({ headersDistinct }: Pick<IncomingMessage, "headersDistinct">, host: string): boolean {
  const [asked = "", ...others] = headersDistinct.host ?? [];
  return others.length === 0 && asked.toLowerCase().replace(/:\d+$/, "") === host;
}
