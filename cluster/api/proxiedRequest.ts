import { once } from "node:events";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { proxyEnvFor } from "./kubeconfig/proxy.ts";

interface ProxiedRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
  readonly signal: AbortSignal;
  /** PEM text of the only CA to trust. Default: the machine's CAs. */
  readonly ca?: string;
}

/** Sends a request through the environment's proxy, if there is one: fetch can't. It follows no redirect. */
export async function proxiedRequest(url: URL, { body, ...options }: ProxiedRequest): Promise<IncomingMessage> {
  const { Agent, request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const sent = request(url, { ...options, agent: new Agent({ proxyEnv: proxyEnvFor(url, process.env) }) });
  // After the response, an abort is an error of that; here it would be one that nobody hears.
  sent.on("error", () => undefined);
  sent.end(body);
  const [response] = await once(sent, "response");
  return response;
}
