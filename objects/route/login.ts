import type { Member } from "../../config/member/member.ts";
import { routeUrl } from "../../config/names/names.ts";
import type { LoginSettings } from "../../config/route/login.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import type { Settings } from "../../config/settings.ts";

interface OfLogin {
  readonly oidc: Pick<Settings["oidc"], "usernamePrefix">;
  readonly route: Pick<Settings["route"], "login">;
}

const letInPath = "/oauth2/auth";

/** URL that answers visitors who have signed in with 2xx, and sends others to sign in. */
export const signedInUrl = (settings: OfLogin): string => `${loginOf(settings).url}/`;

/**
 * URL that answers visitors who are let in with 202, those who have not signed in with 401, and others with 403.
 * @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints#auth
 */
export function letInUrl(member: Pick<Member, "username">, settings: OfLogin): string {
  const { url, allow } = loginOf(settings);
  // Each in a parameter of its own: ingress-nginx before 1.12 takes no comma.
  const query = allowedVisitors(allow, member, settings).map(([key, value]) => `${key}=${inQuery(value)}`);
  return `${url}${letInPath}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/**
 * Path that answers visitors who are let in with 200, sends those who have not signed in to do so, and then back to their
 * member, and answers others with 403. Envoy takes no 202, which the proxy's own page for this answers, and says nothing of
 * the address that a visitor asked for.
 * @see https://oauth2-proxy.github.io/oauth2-proxy/behaviour
 */
export function signInPath(member: Pick<Member, "username">, route: MemberRoute, settings: OfLogin): string {
  const allowed = allowedVisitors(loginOf(settings).allow, member, settings);
  return `/?${[[backKey, routeUrl(route)] as const, ...allowed].map(([key, value]) => `${key}=${inQuery(value)}`).join("&")}`;
}

/** Parameter of the query with the page that a browser gets after signing in. */
const backKey = "rd";

function loginOf({ route: { login } }: OfLogin): LoginSettings {
  if (login === undefined) {
    throw new Error("route.login is missing: no route asks for a login without it");
  }
  return login;
}

/** Parameters of the query that let in the visitors of the settings; none for everyone. */
function allowedVisitors(
  allow: LoginSettings["allow"],
  { username }: Pick<Member, "username">,
  { oidc }: OfLogin,
): (readonly [string, string])[] {
  if (allow === "members") {
    return [];
  }
  return allow === "member"
    ? [["allowed_emails", username.slice(oidc.usernamePrefix.length)]]
    : allow.map((group) => ["allowed_groups", group] as const);
}

/** Slashes and colons, which names of groups have, need no escape in a query, and ingress-nginx takes no `%`. */
const inQuery = (value: string) => encodeURIComponent(value).replaceAll("%2F", "/").replaceAll("%3A", ":");

/** Proxy that a URL is of, with the path if it is another than kubecamp's. Of a Service, a SecurityPolicy has no DNS domain. */
export function askedText(url: string): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: url, pathname: "/" };
  const proxy = origin.replace(/\.svc\.[^:]+/, ".svc");
  return ["/", letInPath].includes(pathname) ? proxy : proxy + pathname;
}

/** Visitors that a URL lets in, such as `staff, cs101`; undefined for everyone who has signed in. */
export function letInText(url: string): string | undefined {
  const all = URL.canParse(url) ? [...new URL(url).searchParams].filter(([key]) => key !== backKey) : [];
  return all.length === 0 ? undefined : all.map(([, value]) => value).join(", ");
}
