import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands before a server, and answers nobody any more from the first request on that is one of these. */
export async function failingProxy(
  target: string,
  fails: (message: IncomingMessage) => boolean,
): Promise<{ endpoint: string; close: () => Promise<void> }> {
  let isDown = false;
  const server = createServer((message, response) => {
    isDown ||= fails(message);
    if (isDown) {
      message.socket.destroy();
      return;
    }
    const { method, headers } = message;
    const onward = request(new URL(message.url ?? "/", target), { method, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once("error", () => response.destroy());
    message.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A test that has failed must not keep mocha from ending.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
