import { defaultClusterDomain } from "../names/names.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { whyNoAddress } from "../values/emails.ts";
import type { EntryOf } from "../values/issues.ts";
import { when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { askingControllers, controllers, type ServerName } from "./controllers.ts";
import { type LoginEntry, serviceAt } from "./login.ts";
import { candidateRoutes } from "./memberRoute.ts";
import { defaultRoute, type routeSchema } from "./route.ts";

const asking = askingControllers.join(" or ");

const unable: { readonly [S in ServerName]?: string } = {
  contour: "is not supported by contour for an Ingress: only its HTTPProxy can ask an authorization server",
  haproxy: "is not supported by haproxy, which has no annotation for it",
};

/** Name of what serves a stack's paths; undefined where that is missing, wrong or encrypted. */
export function serverNameOf(
  { kind = defaultRoute.kind, controller }: Pick<EntryOf<typeof routeSchema>, "kind" | "controller">,
  isKnown: (key: "kind") => boolean,
): ServerName | undefined {
  const name = kind === "gateway" ? kind : controller;
  return isKnown("kind") ? name : undefined;
}

/** A login that those who serve the stack's paths can't ask for, or not in this way. */
export const loginMistakes = (
  login: LoginEntry,
  names: readonly ServerName[],
  raw: unknown,
  path: readonly string[],
): readonly RawMistake[] => {
  const isFor = names.some(asksByAnnotation);
  const { signIn: _, ...without } = login;
  return names.flatMap((name) =>
    // Another may need it.
    mistakesFor(name, isFor && !asksByAnnotation(name) ? without : login, raw, path),
  );
};

const asksByAnnotation = (name: ServerName) => name !== "gateway" && controllers[name].signsIn !== undefined;

function mistakesFor(
  name: ServerName,
  login: LoginEntry,
  raw: unknown,
  path: readonly string[],
): readonly RawMistake[] {
  const { signIn, allow } = login;
  const at = (...keys: (string | number)[]) => [...path, ...keys];
  if (name === "gateway") {
    return [...unusedSignIn(signIn, "a Gateway", at("signIn")), ...serviceMistakes(login, raw, at("url"))];
  }
  const { by, signsIn } = controllers[name];
  if (by.login === undefined) {
    const why = unable[name] ?? "is not supported by this controller for an Ingress";
    return [valueMistake(at("kind"), "oauth2-proxy", `${why}; leave login out, or choose controller: ${asking}`)];
  }
  if (signsIn === undefined) {
    return unusedSignIn(signIn, name, at("signIn"));
  }
  const missing = `is missing: ${name} sends browsers there; set it, as https://apps.example.org/oauth2/start`;
  const unasked = `is not supported by ${name}, which accepts no '@' in an address; choose controller: traefik, or a group`;
  const strange = `has a character that ${name} does not accept in an address; use letters, digits and -._~/:`;
  const isMember = allow === "member";
  return [
    ...when(valueAt(raw, at("signIn")) === undefined, plainMistake(at("signIn"), missing)),
    ...when(isMember, valueMistake(at("allow"), allow, unasked)),
    ...(Array.isArray(allow) ? allow : []).flatMap((group: string | undefined, index) =>
      when(group !== undefined && !signsIn.characters.test(group), valueMistake(at("allow", index), group, strange)),
    ),
  ];
}

function unusedSignIn(signIn: string | undefined, asking: string, path: (string | number)[]): readonly RawMistake[] {
  const why = `is not for ${asking}: the proxy itself sends browsers to sign in; leave it out`;
  return when(signIn !== undefined, valueMistake(path, signIn, why));
}

/** A SecurityPolicy names a Service instead of an address. */
function serviceMistakes({ url }: LoginEntry, raw: unknown, path: (string | number)[]): RawMistake[] {
  const domain = valueAt(raw, ["cluster", "domain"]) ?? defaultClusterDomain;
  if (url === undefined || typeof domain !== "string" || serviceAt(url, domain) !== undefined) {
    return [];
  }
  const why =
    "is not a Service of this cluster over http, and a Gateway asks no other: set " +
    `http://NAME.NAMESPACE.svc.${domain}:PORT, or choose kind: ingress with controller ${asking}`;
  return [valueMistake(path, url, why)];
}

/** A longer path wins over the login's own pages, so that codes and passwords would go to the member's Service. */
export const signInRule: Rule = (all) => {
  const [own, boards] = [all.entry.route?.login?.signIn, all.entry.board?.login?.signIn];
  return [
    ...onPages("route.login.signIn", own, all),
    ...(boards === own ? [] : onPages("board.login.signIn", boards, all)),
  ];
};

function onPages(setting: string, signIn: string | undefined, all: RuleContext): RawMistake[] {
  if (signIn === undefined || !URL.canParse(signIn)) {
    return [];
  }
  const { hostname, pathname } = new URL(signIn);
  const pages = `/${pathname.split("/")[1] ?? ""}/`;
  return candidateRoutes(all).flatMap(({ index, route: { host, path } }) => {
    const isOnPages = path === "/" || `${path}/`.startsWith(pages);
    const why = `is where people sign in (${setting}: ${signIn}), and a Service there could read what they send; choose another`;
    return when(host === hostname && isOnPages, valueMistake(["members", index, "route"], `${host}${path}`, why));
  });
}

/** With the claim `email`, all subjects must be addresses anyway. */
export const loginSubjectRule: Rule = ({ candidates, settings, entry: { route } }) =>
  route?.login?.allow !== "member" || settings.oidc.usernameClaim === "email"
    ? []
    : candidates.flatMap(({ index, entry, wrong }) => {
        const subject = wrong.has("subject") ? undefined : (entry.subject ?? entry.member);
        const isLost = subject !== undefined && entry.route !== false && whyNoAddress(subject) !== undefined;
        const path = ["members", index, entry.subject === undefined ? "member" : "subject"];
        return when(isLost, valueMistake(path, subject, noEmail));
      });

const noEmail =
  "is no email address, and route.login.allow is member: set subject to the member's address, have route: false, or choose " +
  "another allow";
