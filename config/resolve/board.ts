import { present } from "../model/maps.ts";
import type { LoginSettings } from "../model/routes/route.ts";
import type { BoardHeader, BoardSettings } from "../model/settings/board.ts";
import { defaultBoard } from "../model/settings/defaults.ts";
import type { OidcSettings } from "../model/settings/settings.ts";
import type { BoardEntry } from "../schema/board.ts";
import type { Valid } from "../schema/issues.ts";
import { loginOf } from "./routes/login.ts";

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
