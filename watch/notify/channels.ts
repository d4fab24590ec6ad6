import { messageOf } from "../../cluster/api/message.ts";
import type { NotifySettings } from "../../config/model/settings/notify.ts";
import type { Channel } from "./channel.ts";
import { mailer } from "./mail.ts";
import { webhook } from "./webhook.ts";

/** The channels that the settings declare. */
export function channelsOf({ webhook: hook, mail }: NotifySettings): Channel[] {
  return [
    ...(hook?.url === undefined ? [] : [webhook(hook.url, hook.token)]),
    ...(mail === undefined ? [] : [mailer(mail)]),
  ];
}

/** Why a message was not taken, without the channel's secrets. */
export function sendFailure(error: unknown, { secrets }: Pick<Channel, "secrets">): string {
  // fetch hides the reason below "fetch failed".
  const { cause } = error instanceof Error ? error : {};
  const text = cause instanceof Error ? cause.message || codeOf(cause) : messageOf(error);
  return secrets
    .filter((secret) => secret !== "")
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, "[secret]"), text)
    .slice(0, longest);
}

const codeOf = (error: Error) => ("code" in error ? String(error.code) : error.name);

/** A server may answer with a page. */
const longest = 500;
