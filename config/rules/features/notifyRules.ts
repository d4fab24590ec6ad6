import { isLoopback } from "../../model/loopback.ts";
import { isMap, unread } from "../../model/maps.ts";
import { defaultMailSecurity } from "../../model/settings/defaults.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import type { RulesContext } from "../rules.ts";

/** Mistakes: settings of `notify` that contradict each other. */
export function notifyFindings({ raw: { notify: raw }, entry: { notify } }: RulesContext): RawMistake[] {
  return raw === unread || !isMap(raw) || notify === undefined ? [] : ofMail(raw, notify);
}

type Entry = NonNullable<RulesContext["entry"]["notify"]>;

function ofMail({ mail: raw }: Readonly<Record<string, unknown>>, { mail = {} }: Entry): RawMistake[] {
  if (!isMap(raw) || raw === unread) {
    return [];
  }
  const has = (key: "user" | "password") => (raw[key] ?? undefined) !== undefined;
  const path = ["notify", "mail"];
  if (has("user") !== has("password")) {
    const [there, missing] = has("user") ? ["user", "password"] : ["password", "user"];
    return [plainMistake([...path, missing], `is missing: it goes with ${there}; set both, or leave both out`)];
  }
  const isOpen = (mail.security ?? defaultMailSecurity) === "none";
  return isOpen && has("password") && mail.server !== undefined && !isLoopback(mail.server)
    ? [
        valueMistake(
          [...path, "security"],
          "none",
          "would send the password in plain text; set starttls or tls, or leave out user and password",
        ),
      ]
    : [];
}
