import type { Configuration } from "../../model/settings/settings.ts";
import type { Mistake } from "../../sources/mistakes.ts";

/**
 * Warning about a login on a host that members share: a page of one member's can read another's as whoever has signed in.
 * Undefined if there is no such host, or if each path is for its member alone, since nobody else opens that page.
 */
export function sharedLogin({
  settings: { route },
  members,
}: Configuration): Pick<Mistake, "path" | "message"> | undefined {
  const hosts = members.flatMap((member) => member.route?.host ?? []);
  const shared = hosts.find((host, at) => hosts.indexOf(host) < at);
  if (route.login === undefined || route.login.allow === "member" || shared === undefined) {
    return undefined;
  }
  const message =
    `on ${shared}, which members share, any member's page can read other members' pages as the visitor who has signed in; ` +
    "give each a host, with {member} in route.host (docs/run/login.md)";
  return { path: "route.login", message };
}
