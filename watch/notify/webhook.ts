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
      const response = await fetch(url, {
        method: "POST",
        // Another address might get the token, without encryption.
        redirect: "error",
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
      await response.body?.cancel();
      if (!response.ok) {
        throw new Error(`the webhook answered ${response.status} ${response.statusText}`.trim());
      }
    },
  };
}
