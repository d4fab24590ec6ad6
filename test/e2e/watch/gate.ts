import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";

/** Stands on 127.0.0.1 in front of an API server, and passes everything on but what a test wants refused. */
export class Gate {
  readonly #http = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
  readonly #agent = new Agent({ keepAlive: true });
  #server = "";
  #ca: string | Buffer = "";
  #refused: { readonly path: string; readonly status: number } | undefined;
  #held: { readonly path: string; readonly came: () => void; readonly gone: Promise<void> } | undefined;
  #letGo = () => {};
  /** How often something was refused. */
  refusals = 0;

  async open(kubeconfig: string): Promise<void> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const { server = "", caData, caFile = "" } = config.getCurrentCluster() ?? {};
    this.#server = server;
    this.#ca = caData === undefined ? readFileSync(caFile) : Buffer.from(caData, "base64");
    // A suite whose hooks have failed must not keep mocha from ending.
    this.#http.unref();
    await new Promise<void>((resolve) => this.#http.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** A kubeconfig that leads through it. */
  kubeconfig(token: string): string {
    const name = "gate";
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      // Pulumi's plugin takes http from nobody who does not say that it is insecure.
      clusters: [{ name, cluster: { server: this.url, "insecure-skip-tls-verify": true } }],
      users: [{ name, user: { token } }],
    });
  }

  /** Answers every GET of a path with a status from now on, and ends what is under way: watches begin anew. */
  refuse(path: string, status: number): void {
    this.#refused = { path, status };
    this.refusals = 0;
    this.#http.closeAllConnections();
  }

  /**
   * Keeps every request of a path waiting from now on.
   * @returns done when there is one
   */
  async hold(path: string): Promise<void> {
    const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: came, resolve } = Promise.withResolvers<void>();
    this.#held = { path, came: resolve, gone };
    this.#letGo = letGo;
    await came;
  }

  /** Passes everything on again, also what was kept waiting. */
  release(): void {
    this.#refused = undefined;
    this.#held = undefined;
    this.#letGo();
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#http.close();
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, headers, url = "" } = incoming;
    const refused = this.#refused;
    const held = this.#held;
    if (held !== undefined && url.startsWith(held.path)) {
      held.came();
      await held.gone;
    }
    if (refused !== undefined && method === "GET" && url.split("?")[0] === refused.path) {
      this.refusals++;
      outgoing.writeHead(refused.status, { "Content-Type": "application/json" });
      outgoing.end(JSON.stringify({ kind: "Status", message: "refused by the test" }));
      return;
    }
    const options = { method, headers, ca: this.#ca, agent: this.#agent };
    const passed = request(this.#server + url, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // Headers alone must arrive, too: a watch may have nothing to tell for long.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  }
}
