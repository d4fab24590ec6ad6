/** A thin REST client for the API server, with the TLS and credentials of a kubeconfig. */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { isProps, type Props, textAt } from "../../../../buckets/protocol/values.ts";
import { jsonIn } from "../../../../config/values/maps.ts";
import type { Settings } from "../settings.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import type { Chosen } from "./kubeconfig.ts";

interface Request {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
  accept?: string;
}

/** A refused request, with the API server's message. */
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
  readonly #agent: https.Agent;
  /** Without a limit, since each watch keeps a socket. */
  readonly #watchAgent: https.Agent;

  private constructor({ server, tls, headers }: Credentials, seconds: number, signal: AbortSignal) {
    this.#server = server;
    // Requests for hundreds of objects should reuse connections.
    this.#agent = new https.Agent({ ...tls, keepAlive: true, maxSockets: 64 });
    this.#watchAgent = new https.Agent(tls);
    // In a process that serves several runs, nobody else would close the connections of one that is over.
    signal.addEventListener("abort", () => {
      for (const agent of [this.#agent, this.#watchAgent]) {
        agent.destroy();
      }
    });
    const timeout = seconds > 0 ? { timeout: seconds * 1000 } : {};
    this.#options = { signal, headers, ...timeout };
  }

  static async connect(
    config: Chosen,
    { requestSeconds, environment }: Pick<Settings, "requestSeconds" | "environment">,
    signal: AbortSignal,
  ): Promise<ApiClient> {
    return new ApiClient(await credentialsOf(config, signal, environment), requestSeconds, signal);
  }

  async request(request: Request): Promise<Props> {
    const { response, url } = await this.#ask(request, this.#agent);
    const code = response.statusCode ?? 0;
    const body = await text(response);
    const answer = parse(body);
    if (code >= 200 && code < 300) {
      return answer;
    }
    throw new ApiError(code, answer, `${request.method} ${url}: ${code} ${body.slice(0, 200)}`);
  }

  /** Each line of an answer as it arrives, until the API server ends it. */
  async lines(request: Request): Promise<AsyncIterable<Props>> {
    const { response, url } = await this.#ask(request, this.#watchAgent);
    if (response.statusCode === 200) {
      return linesOf(response);
    }
    // An unread answer would keep its socket.
    response.resume();
    throw new ApiError(response.statusCode ?? 0, {}, `watching ${url}`);
  }

  async #ask(request: Request, agent: https.Agent): Promise<{ response: http.IncomingMessage; url: URL }> {
    const url = new URL(this.#server + request.path);
    for (const [key, value] of Object.entries(request.query ?? {})) {
      url.searchParams.set(key, value);
    }
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers: http.OutgoingHttpHeaders = {
      ...(this.#options.headers as http.OutgoingHttpHeaders | undefined),
      accept: request.accept ?? "application/json",
      "user-agent": "kubecamp-sandbox-standin",
    };
    if (body !== undefined) {
      headers["content-type"] = request.contentType ?? "application/json";
      // Node sends the body of a DELETE correctly only with a length.
      headers["content-length"] = Buffer.byteLength(body);
    }
    const options = { ...this.#options, method: request.method, headers };
    const sent = url.protocol === "http:" ? http.request(url, options) : https.request(url, { ...options, agent });
    sent.on("timeout", () => sent.destroy(new Error("request timed out")));
    sent.end(body);
    try {
      const [response] = (await once(sent, "response")) as [http.IncomingMessage];
      // The answer has error listeners of its own; the request needs one too.
      sent.on("error", () => undefined);
      return { response, url };
    } catch (error) {
      throw new Error(`${request.method} ${JSON.stringify(`${url}`)}: ${Object(error).message}`);
    }
  }
}

async function* linesOf(response: http.IncomingMessage): AsyncGenerator<Props> {
  for await (const line of createInterface({ input: response })) {
    yield parse(line);
  }
}

function parse(text: string): Props {
  const value = jsonIn(text) as Props | undefined;
  return isProps(value) ? value : {};
}
