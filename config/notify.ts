import { z } from "zod";
import type { Rule } from "./rule.ts";
import { encryptedBy, encryptedForm } from "./storage/storage.ts";
import { isLoopback } from "./values/addresses.ts";
import type { EntryOf } from "./values/issues.ts";
import { defined, given, isMap, present, unread, when } from "./values/maps.ts";
import { plainMistake, valueAt, valueMistake } from "./values/mistakes.ts";
import { amount, choiceOf, optional, text } from "./values/values.ts";

const defaultNotify = { expiryDays: [3, 14], quotaPercent: 90 } as const;

const defaultMailSecurity = "starttls";

/** Messages may be secret, and unencrypted HTTP to another machine would show them. */
const webhookUrl = text.refine((value) => {
  const { protocol, hostname = "", username, password } = URL.parse(value) ?? {};
  return (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) && `${username}${password}` === "";
}, "must be an https URL without a user (http only for this machine: localhost, 127.0.0.1 or [::1])");

/** A header has it: one line, without blanks. */
const token = text.regex(/^[!-~]+$/, "must be a token, without blanks");

/** As browsers check it: nothing that ends a header's line or separates addresses. */
const address = text
  .max(254, "must have at most 254 characters")
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?$/,
    "must be one address, such as platform@example.org",
  );

const server = text
  .max(253, "must have at most 253 characters")
  .regex(/^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$/, "must be a host name or an IP address");

/** By how a connection is encrypted: after a command, from the first byte, or not at all. */
const mailPorts = { starttls: 587, tls: 465, none: 25 } as const;

export const notifySchema = optional(
  z.strictObject(
    {
      expiryDays: optional(
        z.array(amount(0, 365, "days"), "must be a list of days"),
        "Days before a member's last day or removal for notices; empty for never.",
        { default: defaultNotify.expiryDays },
      ),
      quotaPercent: optional(amount(1, 100, "percent"), "Used percentage from which a quota counts as nearly full.", {
        default: defaultNotify.quotaPercent,
      }),
      webhook: optional(
        z.strictObject(
          {
            url: webhookUrl.meta({
              description: `URL that gets a POST, ${encryptedBy("notify.webhook.url")}`,
              ...encryptedForm,
            }),
            token: optional(token, `Bearer token for it, ${encryptedBy("notify.webhook.token")} Default: none.`, {
              ...encryptedForm,
            }),
          },
          "must be a map with url",
        ),
        "Webhook for admins. Default: none.",
        { examples: [{ url: { secure: "v1:..." } }] },
      ),
      mail: optional(
        z.strictObject(
          {
            to: z
              .array(address, "must be a list of addresses")
              .min(1, "must have a recipient")
              .meta({ description: "Recipients.", examples: [["platform@example.org"]] }),
            from: address.meta({ description: "Sender.", examples: ["kubecamp@example.org"] }),
            server: server.meta({ description: "Mail server.", examples: ["smtp.example.org"] }),
            port: optional(
              amount(1, 65_535, "a port"),
              `Its port. Default: ${mailPorts.starttls}; ${mailPorts.tls} with \`tls\`, ${mailPorts.none} with \`none\`.`,
            ),
            security: optional(choiceOf(["starttls", "tls", "none"]), "How the connection is encrypted.", {
              default: defaultMailSecurity,
            }),
            user: optional(text, "User name at the server. Default: none."),
            password: optional(text, `Its password, ${encryptedBy("notify.mail.password")} Default: none.`, {
              ...encryptedForm,
            }),
          },
          "must be a map with to, from and server",
        ),
        "Mail for admins. Default: none.",
      ),
    },
    "must be a map",
  ),
  "Notices of what comes, such as a last day. See [notices.md](../run/notices.md).",
  {
    examples: [
      {
        expiryDays: [3, 14],
        mail: { to: ["platform@example.org"], from: "kubecamp@example.org", server: "smtp.example.org" },
      },
    ],
  },
);

type Entry = EntryOf<typeof notifySchema>;

/** Notices of what comes, for members and admins. Secrets are absent if the configuration was read without them. */
export type NotifySettings = Readonly<ReturnType<typeof notifySettingsOf>>;

export const notifySettingsOf = ({ expiryDays, quotaPercent, webhook, mail }: Entry = {}) => ({
  expiryDays: [...new Set(present(expiryDays ?? defaultNotify.expiryDays))].sort((a, b) => a - b),
  quotaPercent: quotaPercent ?? defaultNotify.quotaPercent,
  ...defined({ webhook: webhook && given(webhook, "url", "token"), mail: mail && mailSettingsOf(mail) }),
});

export type MailSettings = Readonly<ReturnType<typeof mailSettingsOf>>;

function mailSettingsOf(entry: NonNullable<Entry["mail"]>) {
  const { to, from = "", server = "", security = defaultMailSecurity, port = mailPorts[security] } = entry;
  return { to: present(to), from, server, port, security, ...given(entry, "user", "password") };
}

export const notifyRule: Rule = ({ raw, entry: { notify } }) => {
  const mail = valueAt(raw, ["notify", "mail"]);
  if (notify === undefined || !isMap(mail) || mail === unread) {
    return [];
  }
  const has = (key: "user" | "password") => (mail[key] ?? undefined) !== undefined;
  const path = ["notify", "mail"];
  if (has("user") !== has("password")) {
    const [there, missing] = has("user") ? ["user", "password"] : ["password", "user"];
    return [plainMistake([...path, missing], `is missing: it goes with ${there}; set both, or leave both out`)];
  }
  const { security = defaultMailSecurity, server } = notify.mail ?? {};
  const isOpen = security === "none" && server !== undefined && !isLoopback(server);
  const why = "would send the password in plain text; set starttls or tls, or leave out user and password";
  return when(isOpen && has("password"), valueMistake([...path, "security"], "none", why));
};
