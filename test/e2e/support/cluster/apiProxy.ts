import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";
import { stringify } from "yaml";

/** A request that has been answered. */
export interface Passed {
  readonly method: string;
  readonly url: URL;
  /** The caller's User-Agent. */
  readonly agent: string;
  /** Size of the answer's body. */
  readonly bytes: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Hooks around a request, which waits for them. */
interface Hooks {
  /** @returns an answer in the API server's place, if there is to be one */
  before?(asked: Omit<Passed, "bytes">): Promise<Answer | undefined>;
  /** The API server has answered, and nobody knows it yet. */
  answered?(passed: Passed): Promise<void>;
}

/**
 * Stands on 127.0.0.1 in front of an API server, and tells what is asked for. It signs in for everybody unless told not to:
 * client-go sends no credentials over plain HTTP.
 */
export class ApiProxy {
  readonly passed: Passed[] = [];
  hooks: Hooks = {};
  /** How often something was refused since `refuse`. */
  refusals = 0;
  /** Idle connections stay: closing one in the moment that a client uses it again would refuse its request. */
  readonly #http = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (incoming, outgoing) => {
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  /** Without a limit: each watch keeps a socket, and the official plugin has hundreds of them. */
  readonly #agent = new Agent({ keepAlive: true });
  #server = "";
  #options: RequestOptions = {};
  #letGo = () => {};

  /**
   * @param kubeconfig of the API server
   * @param options.signIn false: callers have credentials of their own
   */
  async start(kubeconfig: string, { signIn = true } = {}): Promise<void> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    this.#options = signIn ? options : { ca: options.ca };
    this.#server = config.getCurrentCluster()?.server ?? "";
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    // A suite whose hooks have failed must not keep mocha from ending.
    this.#http.unref();
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** Writes the kubeconfig of a cluster that is reached through here, under the names that it has there. */
  async writeKubeconfig(original: string, path: string): Promise<void> {
    const config = new KubeConfig();
    config.loadFromString(readFileSync(original, "utf8"));
    const [context] = config.getContexts().filter(({ name }) => name === config.getCurrentContext());
    const { name = "", cluster: clusterName = "" } = context ?? {};
    const text = stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      contexts: [{ name, context: { cluster: clusterName, user: "anybody" } }],
      clusters: [{ name: clusterName, cluster: { server: this.url } }],
      users: [{ name: "anybody", user: {} }],
    });
    await writeFile(path, text);
  }

  /**
   * Answers every GET of a path with a status from now on, and ends what is under way: watches begin anew.
   * @param retryAfter seconds after which a caller may ask again. Default: the answer says nothing of it
   */
  refuse(path: string, status: number, retryAfter?: number): void {
    this.refusals = 0;
    this.hooks = {
      before: async ({ method, url }) => {
        if (method !== "GET" || url.pathname !== path) {
          return undefined;
        }
        this.refusals++;
        const body = JSON.stringify({ kind: "Status", message: "refused by the test" });
        const again = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
        return { status, headers: { "Content-Type": "application/json", ...again }, body };
      },
    };
    this.cut();
  }

  /** Ends all connections, as load balancers do with idle ones. */
  cut(): void {
    this.#http.closeAllConnections();
  }

  /**
   * Keeps every request whose path begins so waiting from now on.
   * @returns done when there is one
   */
  async hold(path: string): Promise<void> {
    const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: came, resolve } = Promise.withResolvers<void>();
    this.#letGo = letGo;
    this.hooks = {
      before: async ({ url }) => {
        if (!url.pathname.startsWith(path)) {
          return undefined;
        }
        resolve();
        await gone;
        return undefined;
      },
    };
    await came;
  }

  /** Passes everything on again, also what was kept waiting. */
  release(): void {
    this.hooks = {};
    this.#letGo();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#agent.destroy();
    this.#http.close();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", headers, url: path = "" } = incoming;
    const url = new URL(this.#server + path);
    const asked = { method, url, agent: String(headers["user-agent"] ?? "") };
    const body = await buffer(incoming);
    const instead = await this.hooks.before?.(asked);
    // A caller that was killed while it waited here needs no answer.
    if (outgoing.destroyed) {
      return;
    }
    if (instead !== undefined) {
      outgoing.writeHead(instead.status, instead.headers).end(instead.body);
      return;
    }
    const { host: _, connection: __, ...passedOn } = headers;
    const sent = request(url, { ...this.#options, method, headers: passedOn, agent: this.#agent }).end(body);
    sent.on("error", () => outgoing.destroy());
    const isWatch = url.searchParams.get("watch") === "true";
    // Also of one that leaves before the answer begins: nobody else would end the watch.
    if (isWatch) {
      outgoing.on("close", () => sent.destroy());
    }
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    if (isWatch) {
      this.passed.push({ ...asked, bytes: 0 });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // Headers alone must arrive, too: a watch may have nothing to tell for long.
      outgoing.flushHeaders();
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
      return;
    }
    const content = await buffer(answer);
    const passed = { ...asked, bytes: content.length };
    this.passed.push(passed);
    await this.hooks.answered?.(passed);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
  }
}
