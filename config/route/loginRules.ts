import { type Candidate, hasClearHostPath, type RulesContext } from "../rule.ts";
import { whyNoAddress } from "../values/emails.ts";
import type { Valid } from "../values/issues.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { askingControllers, controllers, type IngressController } from "./controllers.ts";
import type { LoginEntry } from "./login.ts";
import { defaultRoute, routeOf } from "./route.ts";

const asking = askingControllers.join(" or ");

/** Why these ask no login before a path. */
const unable: Readonly<Record<string, string>> = {
  contour: "is not supported by contour for an Ingress: only its HTTPProxy can ask an authorization server",
  gateway:
    "is not supported by an HTTPRoute: its filter ExternalAuth is experimental, and can't restrict visitors; " +
    `leave login out and use the Gateway's own policy, or choose kind: ingress with controller ${asking}`,
  haproxy: "is not supported by haproxy, which has no annotation for it",
};

/**
 * Mistakes: a login that the controller can't ask for, or not in this way.
 * @param controller undefined for a Gateway
 * @param path of the login's setting
 * @param hasSignIn whether `signIn` is set at all, maybe to what is no URL or nobody has decrypted
 */
export function loginFindings(
  login: Valid<LoginEntry>,
  controller: IngressController | undefined,
  hasSignIn: boolean,
  path: readonly string[] = ["route", "login"],
): RawMistake[] {
  const at = (...keys: (string | number)[]) => [...path, ...keys];
  const { by, signsIn } = controller === undefined ? controllers[defaultRoute.controller] : controllers[controller];
  if (controller === undefined || by.login === undefined) {
    const why = unable[controller ?? "gateway"] ?? "is not supported by this controller for an Ingress";
    const way = controller === undefined ? "" : `; leave login out, or choose controller: ${asking}`;
    return [valueMistake(at("kind"), "oauth2-proxy", why + way)];
  }
  const { signIn, allow } = login;
  if (signsIn === undefined) {
    const why = `is not for ${controller}: the proxy itself sends browsers to sign in; leave it out`;
    return signIn === undefined ? [] : [valueMistake(at("signIn"), signIn, why)];
  }
  const missing = `is missing: ${controller} sends browsers there; set it, as https://apps.example.org/oauth2/start`;
  const unasked = `is not supported by ${controller}, which accepts no '@' in an address; choose controller: traefik, or a group`;
  const strange = `has a character that ${controller} does not accept in an address; use letters, digits and -._~/:`;
  return [
    ...(hasSignIn ? [] : [plainMistake(at("signIn"), missing)]),
    ...(allow === "member" ? [valueMistake(at("allow"), allow, unasked)] : []),
    ...(Array.isArray(allow) ? allow : []).flatMap((group: string | undefined, index) =>
      group === undefined || signsIn.characters.test(group) ? [] : [valueMistake(at("allow", index), group, strange)],
    ),
  ];
}

/**
 * Mistakes: paths where the login's own pages are, or around them. A longer path wins, so that codes and passwords would go to
 * the member's Service.
 */
export function signInFindings(candidates: readonly Candidate[], { entry: stack }: RulesContext): RawMistake[] {
  const [own, boards] = [stack.route?.login?.signIn, stack.board?.login?.signIn];
  return [
    ...onPages(candidates, stack, "route.login.signIn", own),
    ...(boards === own ? [] : onPages(candidates, stack, "board.login.signIn", boards)),
  ];
}

function onPages(
  candidates: readonly Candidate[],
  stack: RulesContext["entry"],
  setting: string,
  signIn: string | undefined,
): RawMistake[] {
  if (signIn === undefined || !URL.canParse(signIn)) {
    return [];
  }
  const { hostname, pathname } = new URL(signIn);
  const pages = `/${pathname.split("/")[1] ?? ""}`;
  return candidates.flatMap((candidate): RawMistake[] => {
    const { index, entry } = candidate;
    const { member, ...rest } = entry;
    const route =
      member === undefined || !hasClearHostPath(candidate) ? undefined : routeOf({ ...rest, member }, stack);
    const isOnPages = route?.path === "/" || `${route?.path}/`.startsWith(`${pages}/`);
    if (route?.host !== hostname || !isOnPages) {
      return [];
    }
    const why = `is where people sign in (${setting}: ${signIn}), and a Service there could read what they send; choose another`;
    return [valueMistake(["members", index, "route"], `${route.host}${route.path}`, why)];
  });
}

/** Mistakes: members with a path for themselves alone, whose email address nobody can tell from their subject. */
export function loginSubjectFindings(
  candidates: readonly Candidate[],
  { settings, entry: { route } }: RulesContext,
): RawMistake[] {
  if (route?.login?.allow !== "member") {
    return [];
  }
  return candidates.flatMap(({ index, entry, wrong }): RawMistake[] => {
    const subject = wrong.has("subject") ? undefined : (entry.subject ?? entry.member);
    if (subject === undefined || entry.route === false || whyNoAddress(subject) === undefined) {
      return [];
    }
    const path = ["members", index, entry.subject === undefined ? "member" : "subject"];
    // With this claim, all subjects must be addresses anyway.
    return settings.oidc.usernameClaim === "email" ? [] : [valueMistake(path, subject, noEmail)];
  });
}

const noEmail =
  "is no email address, and route.login.allow is member: set subject to the member's address, have route: false, or choose " +
  "another allow";
