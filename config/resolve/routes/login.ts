import { present } from "../../model/maps.ts";
import type { LoginSettings } from "../../model/routes/route.ts";
import { defaultLogin } from "../../model/settings/defaults.ts";
import type { Valid } from "../../schema/issues.ts";
import type { LoginEntry } from "../../schema/routes/login.ts";
import { given } from "../given.ts";

/** The login with its defaults. Without a known address, as in a file with encrypted values, there is none. */
export function loginOf({ kind, url, signIn, allow }: Valid<LoginEntry>): LoginSettings | undefined {
  if (kind === undefined || url === undefined) {
    return undefined;
  }
  const allowed = typeof allow === "string" ? allow : allow === undefined ? defaultLogin.allow : present(allow);
  return { kind, url, ...given({ signIn }, "signIn"), allow: allowed };
}
