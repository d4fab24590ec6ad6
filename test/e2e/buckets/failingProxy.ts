import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of a server that answers nothing from the first matching request on. */
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
  // A failed test must not keep mocha from ending.
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
