/** Notices of what comes, for members and admins, and the admins' channels. */
export interface NotifySettings {
  /** Days before a member's last day on which it is told, from the fewest. */
  readonly expiryDays: readonly number[];
  /** Use of a quota's resource, in percent, from which it is told. */
  readonly quotaPercent: number;
  /** Absent if no webhook is told. */
  readonly webhook?: WebhookSettings;
  /** Absent if nobody gets mail. */
  readonly mail?: MailSettings;
}

/** An HTTP endpoint that gets messages as JSON. */
interface WebhookSettings {
  /** URL, whose path is often secret; undefined if the configuration was read without its secrets. */
  readonly url?: string;
  /** Bearer token; undefined likewise. Default: none. */
  readonly token?: string;
}

/** How a connection to a mail server is encrypted: from the first byte (`tls`), after a command, or not at all. */
export type MailSecurity = "starttls" | "tls" | "none";

/** Recipients of messages and the mail server that takes them. */
export interface MailSettings {
  /** Addresses of recipients. */
  readonly to: readonly string[];
  /** Sender's address. */
  readonly from: string;
  /** The mail server's host name or address. */
  readonly server: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Name to sign in with at the server. Default: none. */
  readonly user?: string;
  /** Undefined without `user`, or if the configuration was read without its secrets. */
  readonly password?: string;
}
