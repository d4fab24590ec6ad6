import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { RunError } from "../../config/model/runError.ts";

/** The process's state for HTTP probes. */
export interface Health {
  /** Why the process should be restarted; undefined while it works. */
  alive(): string | undefined;
  /** Why the stack is not kept as declared, now or yet; undefined if it is. */
  ready(): string | undefined;
}

interface ServerOptions {
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves /healthz, /readyz and /metrics.
 * @throws RunError when the address can't be listened on
 * @see https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
 */
export async function serve(health: Health, metrics: Registry, { address, port }: ServerOptions): Promise<Server> {
  const http = createServer(async ({ method, url = "" }, response) => {
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return answer(response, 405, `${method} means nothing here\n`);
    }
    switch (url.split("?")[0]) {
      case "/healthz":
        return probe(response, health.alive());
      case "/readyz":
        return probe(response, health.ready());
      case "/metrics":
        return answer(response, 200, await metrics.metrics(), metrics.contentType);
      default:
        return answer(response, 404, "There are /healthz, /readyz and /metrics\n");
    }
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause) => reject(listenError(cause, address, port)));
    http.listen(port, address, resolve);
  });
  const { port: chosen } = http.address() as AddressInfo;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${chosen}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

function probe(response: ServerResponse, trouble: string | undefined): void {
  answer(response, trouble === undefined ? 200 : 503, `${trouble ?? "ok"}\n`);
}

function answer(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type }).end(body);
}

function listenError(cause: NodeJS.ErrnoException, address: string, port: number): RunError {
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE:
      "Another program listens there, maybe another watch: end it, or choose another --port (0: any free one).",
    EACCES: "Only root may listen on ports below 1024: choose another --port.",
  };
  const remedy = remedies[cause.code ?? ""] ?? "Choose an --address of this machine, such as 127.0.0.1 or 0.0.0.0.";
  return new RunError(`Can't listen on ${address} port ${port}: ${cause.message}\n${remedy}`);
}
