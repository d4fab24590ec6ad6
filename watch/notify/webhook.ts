import { proxiedRequest } from "../../cluster/api/proxiedRequest.ts";
import { type Channel, patience } from "./channel.ts";

/** POSTs messages as JSON; chat services show its `text`. */
export function webhook(url: string, token: string | undefined): Channel {
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
