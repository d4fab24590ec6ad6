import { z } from "zod";
import { isLoopback } from "../model/loopback.ts";
import { defaultMailSecurity, defaultNotify, mailPorts } from "../model/settings/defaults.ts";
import { encryptedForm } from "./storage.ts";
import { amount, choiceOf, optional, text } from "./values.ts";

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

const encrypted = (path: string) => `encrypted: \`pulumi config set --secret --path kubecamp:notify.${path}\`.`;

export const notifySchema = z.strictObject(
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
          url: webhookUrl.meta({ description: `URL that gets a POST, ${encrypted("webhook.url")}`, ...encryptedForm }),
          token: optional(token, `Bearer token for it, ${encrypted("webhook.token")} Default: none.`, {
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
          password: optional(text, `Its password, ${encrypted("mail.password")} Default: none.`, { ...encryptedForm }),
        },
        "must be a map with to, from and server",
      ),
      "Mail for admins. Default: none.",
    ),
  },
  "must be a map",
);

export type NotifyEntry = z.input<typeof notifySchema>;
