import { z } from "zod";
import { defaultBoard } from "../model/settings/defaults.ts";
import { boardHeaders } from "../model/settings/settings.ts";
import { loginSchema } from "./routes/login.ts";
import { amount, choiceOf, flag, hostName, identity, optional } from "./values.ts";

/** Proxies join several values of a header with commas. */
const subject = identity.regex(/^[^,]*$/, "must be a subject without a comma");

/** The board itself decides who sees what. */
const boardLogin = loginSchema.omit({ allow: true });

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
