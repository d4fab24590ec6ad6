import { z } from "zod";
import { hasPrefix, type OidcSettings, prefixed } from "./oidc.ts";
import { type LoginSettings, loginOf, loginSchema } from "./route/login.ts";
import { loginFindings as ofLogin } from "./route/loginRules.ts";
import { defaultRoute, routeOf } from "./route/route.ts";
import { type Candidate, encrypted, hasClearHostPath, type RulesContext } from "./rule.ts";
import type { Valid } from "./values/issues.ts";
import { isMap, present, unread } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "./values/mistakes.ts";
import { amount, choiceOf, flag, hostName, identity, optional } from "./values/values.ts";

/** The pages about members that the watch serves. */
export interface BoardSettings {
  /** The host of the pages, which no member has. */
  readonly host: string;
  /** Port that the watch listens on. */
  readonly port: number;
  /** Login that the controller asks before it passes a request on, for everyone who has signed in. Default: `route.login`. */
  readonly login: LoginSettings;
  /** Header with a visitor's subject. */
  readonly header: BoardHeader;
  /** Whether the watch itself asks the login's proxy about each request, and goes by that header of its answer. */
  readonly verify: boolean;
  /** Subjects of those who see all members, as the header has them. */
  readonly admins: readonly string[];
}

export const defaultBoard = {
  port: 9465,
  verify: false,
  header: "X-Auth-Request-User",
} as const satisfies Partial<BoardSettings>;

/** Proxies join several values of a header with commas. */
const subject = identity.regex(/^[^,]*$/, "must be a subject without a comma");

/** The board itself decides who sees what. */
const boardLogin = loginSchema.omit({ allow: true });

/** Headers in which the login's proxy names a visitor: controllers set them anew, whatever the visitor sends. */
export const boardHeaders = [
  "X-Auth-Request-User",
  "X-Auth-Request-Email",
  "X-Auth-Request-Preferred-Username",
] as const;

/** The pages about members that the watch serves. */
export const boardSchema = z.strictObject(
  {
    host: hostName.meta({ description: "Host of the board, which no member has.", examples: ["board.example.org"] }),
    admins: optional(
      z.array(subject, "must be a list of subjects"),
      "Subjects of those who see all members, without `oidc.usernamePrefix`. Others see their own page alone.",
      { default: [], examples: [["tina@example.org"]] },
    ),
    login: optional(
      boardLogin,
      "A login of its own, such as a second proxy whose cookie no member's app gets. Default: `route.login`, for everyone whom that proxy lets in.",
      {
        examples: [
          {
            kind: "oauth2-proxy",
            url: "http://board-proxy.login.svc.cluster.local:4180",
            signIn: "https://board.example.org/oauth2/start",
          },
        ],
      },
    ),
    header: optional(
      choiceOf(boardHeaders),
      "Header in which the login's proxy names the visitor's subject. Default: the one for `oidc.usernameClaim`: `X-Auth-Request-Email` for `email`, `X-Auth-Request-Preferred-Username` for `preferred_username`, otherwise `X-Auth-Request-User`.",
    ),
    verify: optional(
      flag,
      "Whether the watch itself asks the login's proxy about each request, instead of believing the header. Its Pod has to reach `route.login.url`.",
      { default: defaultBoard.verify },
    ),
    port: optional(amount(1, 65_535, "a port"), "Port that the watch listens on for it.", {
      default: defaultBoard.port,
    }),
  },
  "must be a map with host",
);

export type BoardEntry = z.input<typeof boardSchema>;

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

export type BoardHeader = (typeof boardHeaders)[number];

/** Port of the watch's probes and metrics in a Pod. */
export const metricsPort = 9464;

/** Headers of oauth2-proxy by the claim that they have. */
const headers: Readonly<Record<string, BoardHeader>> = {
  email: "X-Auth-Request-Email",
  preferred_username: "X-Auth-Request-Preferred-Username",
};

/** The board with its defaults. Without a known host or login, as in a file with encrypted values, there is none. */
export function boardSettingsOf(
  { host, port, login: own, header, verify, admins }: Valid<BoardEntry>,
  { usernameClaim }: Pick<OidcSettings, "usernameClaim">,
  ofPaths: LoginSettings | undefined,
): BoardSettings | undefined {
  const login = own === undefined ? ofPaths : loginOf(own);
  return host === undefined || login === undefined
    ? undefined
    : {
        host,
        login: { ...login, allow: "members" },
        port: port ?? defaultBoard.port,
        verify: verify ?? defaultBoard.verify,
        header:
          header ?? (Object.hasOwn(headers, usernameClaim) ? headers[usernameClaim] : undefined) ?? defaultBoard.header,
        admins: present(admins),
      };
}
