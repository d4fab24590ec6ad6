import { defined, present } from "../model/maps.ts";
import { defaultMailSecurity, defaultNotify, mailPorts } from "../model/settings/defaults.ts";
import type { MailSettings, NotifySettings } from "../model/settings/notify.ts";
import type { Valid } from "../schema/issues.ts";
import type { NotifyEntry } from "../schema/notify.ts";
import { given } from "./given.ts";

export function notifySettingsOf(entry: Valid<NotifyEntry> = {}): NotifySettings {
  const { expiryDays, quotaPercent, webhook, mail } = entry;
  return {
    expiryDays: [...new Set(present(expiryDays ?? defaultNotify.expiryDays))].sort((a, b) => a - b),
    quotaPercent: quotaPercent ?? defaultNotify.quotaPercent,
    ...defined({ webhook: webhook && given(webhook, "url", "token"), mail: mail && mailSettingsOf(mail) }),
  };
}

function mailSettingsOf(entry: Valid<NonNullable<NotifyEntry["mail"]>>): MailSettings {
  const { to, from = "", server = "", security = defaultMailSecurity, port = mailPorts[security] } = entry;
  return { to: present(to), from, server, port, security, ...given(entry, "user", "password") };
}
