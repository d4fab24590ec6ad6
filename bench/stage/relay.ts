import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * Forwards TCP connections to a port of 127.0.0.1, and delays each chunk by half a round trip in both directions. It
 * forwards bytes only, so that TLS, client certificates and HTTP/2 keep working.
 */
export class DelayedRelay {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  /**
   * @param target port of 127.0.0.1
   * @param roundTrip milliseconds added to each request
   */
  constructor(target: number, roundTrip: number) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      const far = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
      this.#pass(near, far, roundTrip / 2);
      this.#pass(far, near, roundTrip / 2);
    });
  }

  /** @returns the port of 127.0.0.1 that it listens on */
  async start(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await once(this.#server.close(), "close");
  }

  /** Timers of equal length fire in the order they were set, so that chunks keep their order. */
  #pass(from: Socket, to: Socket, delay: number): void {
    this.#sockets.add(from);
    from.on("data", (chunk) => {
      setTimeout(() => {
        if (!to.destroyed && !to.write(chunk)) {
          from.pause();
        }
      }, delay);
    });
    to.on("drain", () => from.resume());
    from.on("end", () => setTimeout(() => to.end(), delay));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      this.#sockets.delete(from);
      // After the delayed chunks.
      setTimeout(() => to.destroySoon(), delay);
    });
  }
}
