import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A server on 127.0.0.1 for the suite that calls this; `answer` gets each request with its whole body. */
export function useHttpServer(answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown): {
  readonly http: Server;
  readonly url: string;
} {
  const http = createServer(async (request, response) => answer(request, response, await text(request)));
  const used = { http, url: "" };
  before(async () => {
    await once(http.listen(0, "127.0.0.1"), "listening");
    used.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  return used;
}
