import { isMap, unread } from "../../model/maps.ts";
import { defaultRoute } from "../../model/settings/defaults.ts";
import { metricsPort } from "../../model/settings/settings.ts";
import { routeOf } from "../../resolve/members/member.ts";
import type { BoardEntry } from "../../schema/board.ts";
import type { Valid } from "../../schema/issues.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../../sources/mistakes.ts";
import { loginFindings as ofLogin } from "../routes/login.ts";
import { type Candidate, encrypted, hasClearHostPath, hasPrefix, prefixed, type RulesContext } from "../rules.ts";

/** Mistakes: a board that anybody could look at, or whose host is also a member's. */
export function boardFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { raw, entry } = context;
  const hidden = raw.board === undefined ? [] : encrypted([["board"]], context);
  const { board } = entry;
  return board === undefined || hidden.length > 0
    ? hidden
    : [
        ...loginFindings(board, context),
        ...hostFindings(board, candidates, context),
        ...nameFindings(board, context),
        ...otherFindings(board, context),
      ];
}

/** Without a login, whoever reaches the controller could say who they are. */
function loginFindings({ login }: Valid<BoardEntry>, { raw, entry: { route = {} } }: RulesContext): RawMistake[] {
  if (!isMap(raw.route) || raw.route === unread) {
    return [];
  }
  const isSet = (...path: string[]) => valueAt(raw, path) !== undefined;
  if (isSet("board", "login")) {
    const isClear = (["kind", "controller"] as const).every((key) => !isSet("route", key) || route[key] !== undefined);
    const { kind = defaultRoute.kind, controller = defaultRoute.controller } = route;
    const asked = kind === "gateway" ? undefined : controller;
    return login === undefined || !isClear
      ? []
      : ofLogin(login, asked, isSet("board", "login", "signIn"), ["board", "login"]);
  }
  const way =
    route.kind === "gateway"
      ? "a Gateway can't ask for one: leave board out, and use `kubecamp members -o html`"
      : "set board.login, or route.login (docs/run/login.md), or leave board out";
  return isSet("route", "login") ? [] : [plainMistake(["board"], `needs a login, which says who a visitor is; ${way}`)];
}

/** A member's pages on the same host could read the board as whoever looks at them. */
function hostFindings(
  { host }: Valid<BoardEntry>,
  candidates: readonly Candidate[],
  { entry: stack, nameOf }: RulesContext,
): RawMistake[] {
  const owner = candidates.find((candidate) => {
    const { member, ...rest } = candidate.entry;
    return (
      host !== undefined &&
      member !== undefined &&
      hasClearHostPath(candidate) &&
      routeOf({ ...rest, member }, stack)?.host === host
    );
  });
  const why = (of: string) => `is also the host of ${of}, whose pages could read the board; choose a host of its own`;
  return owner === undefined ? [] : [valueMistake(["board", "host"], host, why(nameOf(owner.index)))];
}

function nameFindings({ admins = [] }: Valid<BoardEntry>, context: RulesContext): RawMistake[] {
  return admins.flatMap((admin, index) =>
    admin !== undefined && hasPrefix(admin, "usernamePrefix", context)
      ? [valueMistake(["board", "admins", index], admin, prefixed("usernamePrefix"))]
      : [],
  );
}

function otherFindings(
  { port, header }: Valid<BoardEntry>,
  { entry: { oidc = {}, shards = 0 }, wrongSettings }: RulesContext,
): RawMistake[] {
  const ofProbes = "is the port of the watch's probes and metrics; choose another, such as 9465";
  const chosen =
    "has a name that people may choose themselves at many issuers, and oidc.usernameClaim is another; leave header out";
  const isChosen =
    header === "X-Auth-Request-Preferred-Username" &&
    !wrongSettings.has("oidc") &&
    oidc.usernameClaim !== "preferred_username";
  return [
    ...(port === metricsPort ? [valueMistake(["board", "port"], port, ofProbes)] : []),
    ...(isChosen ? [valueMistake(["board", "header"], header, chosen)] : []),
    ...(shards > 0
      ? [plainMistake(["board"], "is of one stack, and these members are split over several; leave it out")]
      : []),
  ];
}
