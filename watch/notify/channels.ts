import { messageOf } from "../../cluster/api/errors.ts";
import { proxiedRequest } from "../../cluster/api/proxiedRequest.ts";
import type { MailSettings, NotifySettings } from "../../config/notify.ts";
import { warningsOf } from "../../plan/words/catalogue.ts";
import type { Finding } from "../../plan/words/finding.ts";
import type { ComingCode } from "../../plan/words/notices.ts";

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
  const text = cause instanceof Error ? cause.message || String(Object(cause).code ?? cause.name) : messageOf(error);
  return secrets
    .filter((secret) => secret !== "")
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, "[secret]"), text)
    .slice(0, longest);
}

/** A server may answer with a page. */
const longest = 500;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Sends messages as plain text, one mail to all recipients. @see https://nodemailer.com/smtp */
function mailer({ to, from, server, port, security, user, password }: MailSettings): Channel {
  return {
    name: "mail",
    // As given, and as AUTH LOGIN and AUTH PLAIN send it.
    secrets: password === undefined ? [] : [password, ...[password, `\0${user ?? ""}\0${password}`].map(base64)],
    send: async ({ subject, text }) => {
      // Only a watch that sends mail loads it.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        host: server.replaceAll(/^\[|\]$/g, ""),
        port,
        secure: security === "tls",
        requireTLS: security === "starttls",
        ignoreTLS: security === "none",
        connectionTimeout: patience,
        greetingTimeout: patience,
        socketTimeout: patience,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password } }),
      });
      try {
        await transport.sendMail({ from, to: [...to], subject, text, signal: AbortSignal.timeout(patience) });
      } finally {
        transport.close();
      }
    },
  };
}

/** POSTs messages as JSON; chat services show its `text`. */
function webhook(url: string, token: string | undefined): Channel {
  const { pathname, search } = new URL(url);
  const secrets = [url, pathname + search, pathname, search, ...(token === undefined ? [] : [token])];
  return {
    name: "webhook",
    // A path of "/" is no secret, and is in many texts.
    secrets: secrets.filter((secret) => secret.length > 1),
    send: async ({ text, stack, findings }) => {
      // It follows no redirect: another address might get the token, without encryption.
      const response = await proxiedRequest(new URL(url), {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({
          text,
          stack,
          notices: findings.map(({ code, member, facts }) => ({ code, member, facts })),
        }),
        signal: AbortSignal.timeout(patience),
      });
      response.destroy();
      const { statusCode = 0, statusMessage = "" } = response;
      if (statusCode < 200 || statusCode >= 300) {
        throw new Error(`the webhook answered ${statusCode} ${statusMessage}`.trim());
      }
    },
  };
}

export interface Channel {
  readonly name: ChannelName;
  /** Sends a message. @throws Error, or anything, if it was not taken */
  readonly send: (message: AdminMessage) => Promise<void>;
  /** Texts that no log may show. */
  readonly secrets: readonly string[];
}

export const channelNames = ["webhook", "mail"] as const;
type ChannelName = (typeof channelNames)[number];

/** Time limit of one message, in milliseconds. */
const patience = 15_000;

export interface AdminMessage {
  readonly subject: string;
  /** A paragraph for each kind of thing that comes. */
  readonly text: string;
  readonly stack: string;
  readonly findings: readonly Finding<ComingCode>[];
}

export function messageAbout(stack: string, findings: readonly Finding<ComingCode>[]): AdminMessage {
  const members = [...new Set(findings.flatMap(({ member = [] }) => member))];
  const about = members.length === 1 ? members.join() : `${members.length} members`;
  return {
    subject: `kubecamp: about ${about} of stack ${stack}`,
    text: warningsOf(findings)
      .map(({ text }) => text)
      .join("\n\n"),
    stack,
    findings,
  };
}
