import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";
import { stringify } from "yaml";

/** A request that has been answered. */
export interface Passed {
  readonly method: string;
  readonly url: URL;
  /** Who asked, as they call themselves. */
  readonly agent: string;
  /** Of the answer's body. */
  readonly bytes: number;
}

/** What may happen around a request; whoever waits in here holds it up. */
export interface Hooks {
  /** @returns an answer in the API server's place, if there is to be one */
  before?(asked: Omit<Passed, "bytes">): Promise<{ status: number; headers: Record<string, string> } | undefined>;
  /** The API server has answered, and nobody knows it yet. */
  answered?(passed: Passed): Promise<void>;
}

/** Stands on 127.0.0.1 in front of an API server, signs in there for everybody, and tells what is asked for. */
export class ApiProxy {
  readonly passed: Passed[] = [];
  hooks: Hooks = {};
  #server: Server | undefined;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  /** @param kubeconfig of the API server */
  async start(kubeconfig: string): Promise<void> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    const base = config.getCurrentCluster()?.server ?? "";
    this.#server = createServer((incoming, outgoing) => {
      this.#pass(base, options, incoming, outgoing).catch(() => outgoing.destroy());
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    // A suite whose hooks have failed must not keep mocha from ending.
    this.#server.unref();
  }

  /** Writes the kubeconfig of a cluster that is reached through here, under the names that it has there. */
  async writeKubeconfig(original: string, path: string): Promise<void> {
    const address = this.#server?.address();
    const config = new KubeConfig();
    config.loadFromString(readFileSync(original, "utf8"));
    const cluster = { server: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
    const [context] = config.getContexts().filter(({ name }) => name === config.getCurrentContext());
    const { name = "", cluster: clusterName = "" } = context ?? {};
    const text = stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      contexts: [{ name, context: { cluster: clusterName, user: "anybody" } }],
      clusters: [{ name: clusterName, cluster }],
      users: [{ name: "anybody", user: {} }],
    });
    await writeFile(path, text);
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#agent.destroy();
    this.#server?.close();
  }

  async #pass(
    base: string,
    options: RequestOptions,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { method = "", headers, url: path = "" } = incoming;
    const url = new URL(base + path);
    const asked = { method, url, agent: String(headers["user-agent"] ?? "") };
    const body = await buffer(incoming);
    const instead = await this.hooks.before?.(asked);
    if (instead !== undefined) {
      outgoing.writeHead(instead.status, instead.headers).end();
      return;
    }
    const { host: _, connection: __, ...passedOn } = headers;
    const sent = request(url, { ...options, method, headers: passedOn, agent: this.#agent }).end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    if (url.searchParams.get("watch") === "true") {
      this.passed.push({ ...asked, bytes: 0 });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.on("close", () => answer.destroy());
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
