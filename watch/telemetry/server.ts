import { createServer, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { RunError } from "../../config/values/runError.ts";

export interface Health {
  /** Why the process should be restarted; undefined while it works. */
  alive(): string | undefined;
  /** Why the stack is not kept as declared, now or yet; undefined if it is. */
  ready(): string | undefined;
}

/**
 * Serves /healthz, /readyz and /metrics.
 * @see https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
 */
export async function serve(
  health: Health,
  metrics: Registry,
  options: { readonly address: string; readonly port: number },
): Promise<Server> {
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
  return await listen(http, options);
}

function probe(response: ServerResponse, trouble: string | undefined): void {
  answer(response, trouble === undefined ? 200 : 503, `${trouble ?? "ok"}\n`);
}

function answer(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type }).end(body);
}

interface ListenOptions {
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  /** Option or setting with the port, for messages. Default: `--port`. */
  readonly setting?: string;
}

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

export async function listen(http: HttpServer, { address, port, setting = "--port" }: ListenOptions): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", ({ message }) =>
      reject(new RunError(`Can't listen: ${message}\nChoose another ${setting}, or another --address.`)),
    );
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
