import type { MailSettings } from "../../config/model/settings/notify.ts";
import { type Channel, patience } from "./channel.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/**
 * Sends messages as plain text, one mail to all recipients.
 * @see https://nodemailer.com/smtp
 */
export function mailer({ to, from, server, port, security, user, password }: MailSettings): Channel {
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
