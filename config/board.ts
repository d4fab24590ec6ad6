import { z } from "zod";
import { hasPrefix, type OidcSettings, prefixed } from "./oidc.ts";
import { type LoginSettings, loginOf, loginSchema } from "./route/login.ts";
import { loginMistakes, serverNameOf } from "./route/loginRules.ts";
import { candidateRoutes } from "./route/memberRoute.ts";
import { encrypted, type Rule, type RuleContext } from "./rule.ts";
import type { EntryOf } from "./values/issues.ts";
import { isMap, present, unread, when } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "./values/mistakes.ts";
import { amount, choiceOf, flag, hostName, identity, optional } from "./values/values.ts";

/** Proxies join several values of a header with commas. */
const subject = identity.regex(/^[^,]*$/, "must be a subject without a comma");

/** Headers in which the login's proxy names a visitor: controllers set them anew, whatever the visitor sends. */
const headers = ["X-Auth-Request-User", "X-Auth-Request-Email", "X-Auth-Request-Preferred-Username"] as const;

export type BoardHeader = (typeof headers)[number];

const defaultBoard = { port: 9465, verify: false } as const;

export const boardSchema = optional(
  z.strictObject(
    {
      host: hostName.meta({ description: "Host of the board, which no member has.", examples: ["board.example.org"] }),
      admins: optional(
        z.array(subject, "must be a list of subjects"),
        "Subjects of those who see all members, without `oidc.usernamePrefix`. Others see their own page alone.",
        { default: [], examples: [["tina@example.org"]] },
      ),
      login: optional(
        // The board itself decides who sees what.
        loginSchema.omit({ allow: true }),
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
        choiceOf(headers),
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
  ),
  "Pages about the members that the watch serves, behind `route.login`. Default: none. See [board.md](../run/board.md#serve-it).",
  { examples: [{ host: "board.example.org", admins: ["tina@example.org"] }] },
);

type Entry = EntryOf<typeof boardSchema>;

export type BoardSettings = Readonly<NonNullable<ReturnType<typeof boardOf>>>;

/** The board with its defaults. Without a known host or login, as in a file with encrypted values, there is none. */
export function boardOf(
  { host, port, login: own, header, verify, admins }: Entry,
  { usernameClaim }: Pick<OidcSettings, "usernameClaim">,
  ofPaths: LoginSettings | undefined,
) {
  const login = own === undefined ? ofPaths : loginOf(own);
  if (host === undefined || login === undefined) {
    return undefined;
  }
  return {
    host,
    login: { ...login, allow: "members" } as const,
    port: port ?? defaultBoard.port,
    verify: verify ?? defaultBoard.verify,
    header: header ?? headerOf(usernameClaim),
    admins: present(admins),
  };
}

function headerOf(claim: string): BoardHeader {
  if (claim === "email") {
    return "X-Auth-Request-Email";
  }
  return claim === "preferred_username" ? "X-Auth-Request-Preferred-Username" : "X-Auth-Request-User";
}

/** Port of the watch's probes and metrics in a Pod. */
export const metricsPort = 9464;

export const boardRule: Rule = (all) => {
  const hidden = all.raw.board === undefined ? [] : encrypted([["board"]], all);
  const { board } = all.entry;
  return board === undefined || hidden.length > 0
    ? hidden
    : [
        ...boardLoginMistakes(board, all),
        ...hostMistakes(board, all),
        ...adminMistakes(board, all),
        ...otherMistakes(board, all),
      ];
};

/** Without a login, whoever reaches the controller could say who they are. */
function boardLoginMistakes({ login }: Entry, all: RuleContext): readonly RawMistake[] {
  const { raw, entry, isKnown } = all;
  if (!isMap(raw.route) || raw.route === unread) {
    return [];
  }
  const isSet = (...path: string[]) => valueAt(raw, path) !== undefined;
  if (entry.route?.kind === "gateway") {
    return [plainMistake(["board"], "is not served at a Gateway; leave it out, and use `kubecamp members -o html`")];
  }
  if (isSet("board", "login")) {
    const name = serverNameOf(entry.route ?? {}, (key) => isKnown("route", key));
    return login === undefined || name === undefined ? [] : loginMistakes(login, [name], raw, ["board", "login"]);
  }
  const why =
    "needs a login, which says who a visitor is; set board.login, or route.login (docs/run/login.md), or leave board out";
  return when(!isSet("route", "login"), plainMistake(["board"], why));
}

/** A member's pages on the same host could read the board as whoever looks at them. */
function hostMistakes({ host }: Entry, all: RuleContext): readonly RawMistake[] {
  const owner = candidateRoutes(all).find(({ route }) => route.host === host);
  const why = `is also the host of ${owner && all.nameOf(owner.index)}, whose pages could read the board; choose a host of its own`;
  return when(owner !== undefined, valueMistake(["board", "host"], host, why));
}

const adminMistakes = ({ admins = [] }: Entry, all: RuleContext) =>
  admins.flatMap((admin, index) =>
    when(
      admin !== undefined && hasPrefix(admin, "usernamePrefix", all),
      valueMistake(["board", "admins", index], admin, prefixed("usernamePrefix")),
    ),
  );

function otherMistakes({ port, header }: Entry, { entry: { oidc = {}, shards = 0 }, isKnown }: RuleContext) {
  const isChosen = header === "X-Auth-Request-Preferred-Username" && oidc.usernameClaim !== "preferred_username";
  const ofProbes = "is the port of the watch's probes and metrics; choose another, such as 9465";
  const chosen =
    "has a name that people may choose themselves at many issuers, and oidc.usernameClaim is another; leave header out";
  return [
    ...when(port === metricsPort, valueMistake(["board", "port"], port, ofProbes)),
    ...when(isChosen && isKnown("oidc"), valueMistake(["board", "header"], header, chosen)),
    ...when(
      shards > 0,
      plainMistake(["board"], "is of one stack, and these members are split over several; leave it out"),
    ),
  ];
}
