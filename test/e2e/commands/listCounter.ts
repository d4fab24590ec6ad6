import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";

/** Stands on 127.0.0.1 in front of an API server, passes everything on, and notes what was asked for. */
export class ListCounter {
  /** `METHOD path`, without the query. */
  readonly asked: string[] = [];
  #http: Server | undefined;

  async start(kubeconfig: string): Promise<void> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const cluster = config.getCurrentCluster();
    const ca =
      cluster?.caData === undefined ? readFileSync(cluster?.caFile ?? "") : Buffer.from(cluster.caData, "base64");
    this.#http = createServer((incoming, outgoing) => {
      const { method, headers, url = "" } = incoming;
      this.asked.push(`${method} ${url.split("?")[0]}`);
      const passed = request(`${cluster?.server}${url}`, { method, headers, ca }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", (error) => outgoing.destroy(error));
      incoming.pipe(passed);
    });
    // A suite whose hooks have failed must not keep mocha from ending.
    this.#http.unref();
    await new Promise<void>((resolve) => this.#http?.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    const address = this.#http?.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  async stop(): Promise<void> {
    const http = this.#http;
    if (http === undefined) {
      return;
    }
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
}
