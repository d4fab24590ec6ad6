import { isDeepStrictEqual } from "node:util";
import type { Member } from "../../../config/model/members/member.ts";
import type { LoginSettings } from "../../../config/model/routes/route.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { loginName } from "../../../naming/names.ts";
import { drivers, isDoor, partsOf } from "../../../plan/routes/drivers/drivers.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { mapAt, shown } from "../values.ts";

/** Checks that routes ask the stack's proxy, and nobody else, before they let a visitor in. */
export const loginFirst: Judge = (object, { settings }) => {
  const { kind, args, member } = object;
  if (member === undefined) {
    return [];
  }
  const [annotations, spec] = [mapAt(args, "metadata", "annotations"), mapAt(args, "spec")];
  const asked = drivers
    .flatMap(({ loginOf }) => Object.values(loginOf({ kind, annotations, spec })))
    .filter((url) => url !== undefined);
  const strange = asked.filter((url) => !isOfStack(url, object, member, settings));
  const isOpen = settings.route.login !== undefined && isDoor(object) && asked.length === 0;
  return [
    ...strange.map((url) => broken("login-first", "metadata", `${shown(url)} is not the login that the settings name`)),
    ...(isOpen && !refersToLogin(object, member, settings)
      ? [broken("login-first", "metadata.annotations", "asks for no login, or not whether the visitor is let in")]
      : []),
  ];
};

/**
 * Whether a URL is the proxy's, and its query lets in the same visitors as the settings. Of a route's two Middlewares, the
 * first lets in everyone who has signed in.
 */
function isOfStack(url: unknown, { kind, name }: GateObject, member: Member, { route, oidc }: Settings): boolean {
  const { login } = route;
  if (login === undefined || typeof url !== "string" || !URL.canParse(url)) {
    return false;
  }
  const isFirst = kind === "Middleware" && name === loginName(member);
  const { origin, pathname, searchParams } = new URL(url);
  return (
    origin === new URL(login.url).origin &&
    pathname === (isFirst ? "/" : "/oauth2/auth") &&
    isDeepStrictEqual([...searchParams], isFirst ? [] : allowedVisitors(login, member, oidc))
  );
}

/** Parameters of the query that let in the visitors of the settings; none for everyone. */
function allowedVisitors(
  { allow }: LoginSettings,
  { username }: Member,
  { usernamePrefix }: Settings["oidc"],
): string[][] {
  if (allow === "members") {
    return [];
  }
  return allow === "member"
    ? [["allowed_emails", username.slice(usernamePrefix.length)]]
    : allow.map((group) => ["allowed_groups", group]);
}

/** Whether a door refers to each object of the route that asks for a login. */
function refersToLogin({ args }: GateObject, member: Member, settings: Settings): boolean {
  const parts = partsOf(settings, member.route?.path).filter(
    ({ features = [] }) => features.includes("login") || features.includes("allow"),
  );
  const values = Object.values(mapAt(args, "metadata", "annotations"));
  const words = parts.map(({ reference }) => reference?.words(member, settings));
  return (
    words.length > 0 && words.every((word) => values.some((value) => word && String(value).split(",").includes(word)))
  );
}
