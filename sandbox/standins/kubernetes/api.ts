/** A thin REST client for the API server, with the TLS and credentials of a kubeconfig. */

import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { isProps, type Props, textAt } from "../../../protocol/values.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import type { Chosen } from "./kubeconfig.ts";
import type { ClientSettings } from "./settings.ts";

export interface Request {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
  accept?: string;
}

/** A refusal, with the API server's own words. */
export class ApiError extends Error {
  readonly code: number;
  readonly status: Props;

  constructor(code: number, status: Props, fallback: string) {
    super(textAt(status, "message") || fallback);
    this.code = code;
    this.status = status;
  }

  is(reason: string): boolean {
    return this.status.reason === reason;
  }
}

export class ApiClient {
  readonly #server: string;
  readonly #options: https.RequestOptions;
  readonly #bucket: TokenBucket;

  private constructor({ server, tls, headers }: Credentials, limits: ClientSettings, signal: AbortSignal) {
    this.#server = server;
    this.#bucket = new TokenBucket(limits);
    // Hundreds of objects want their connections kept.
    const agent = new https.Agent({ ...tls, keepAlive: true, maxSockets: 64 });
    const timeout = limits.timeout > 0 ? { timeout: limits.timeout * 1000 } : {};
    this.#options = { signal, headers, agent, ...timeout };
  }

  static async connect(config: Chosen, limits: ClientSettings, signal: AbortSignal): Promise<ApiClient> {
    return new ApiClient(await credentialsOf(config, signal), limits, signal);
  }

  async request(request: Request): Promise<Props> {
    await this.#bucket.take();
    const url = new URL(this.#server + request.path);
    for (const [key, value] of Object.entries(request.query ?? {})) url.searchParams.set(key, value);
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers: http.OutgoingHttpHeaders = {
      ...(this.#options.headers as http.OutgoingHttpHeaders | undefined),
      accept: request.accept ?? "application/json",
      "user-agent": "kubecamp-sandbox-standin",
    };
    if (body !== undefined) {
      headers["content-type"] = request.contentType ?? "application/json";
      // Node frames the body of a DELETE only if it is told its length.
      headers["content-length"] = Buffer.byteLength(body);
    }
    const { code, text } = await this.#send(url, { ...this.#options, method: request.method, headers }, body);
    const answer = parse(text);
    if (code >= 200 && code < 300) return answer;
    throw new ApiError(code, answer, `${request.method} ${url}: ${code} ${text.slice(0, 200)}`);
  }

  #send(url: URL, options: https.RequestOptions, body?: string): Promise<{ code: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ code: number; text: string }>();
    const transport = url.protocol === "http:" ? http : https;
    const agent = url.protocol === "http:" ? undefined : options.agent;
    const sent = transport.request(url, { ...options, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("request timed out")));
    sent.on("error", (error) => reject(new Error(`${options.method} ${JSON.stringify(`${url}`)}: ${error.message}`)));
    sent.end(body);
    return promise;
  }
}

/** client-go's limit: `burst` requests at once, refilled at `qps` a second. */
class TokenBucket {
  readonly #limits: ClientSettings;
  #tokens: number;
  #filled = performance.now();

  constructor(limits: ClientSettings) {
    this.#limits = limits;
    this.#tokens = limits.burst;
  }

  async take(): Promise<void> {
    const { qps, burst } = this.#limits;
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filled) / 1000) * qps) - 1;
    this.#filled = now;
    if (this.#tokens < 0) await sleep((-this.#tokens / qps) * 1000);
  }
}

function parse(text: string): Props {
  try {
    const value: unknown = JSON.parse(text);
    return isProps(value as Props) ? (value as Props) : {};
  } catch {
    return {};
  }
}
