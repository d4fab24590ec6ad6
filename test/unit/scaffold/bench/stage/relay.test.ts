import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "mocha";
import { portIn, withPort } from "../../../../../scaffold/bench/stage/distance.ts";
import { DelayedRelay } from "../../../../../scaffold/bench/stage/relay.ts";

const roundTrip = 60;

describe("a relay that makes a cluster seem further away", () => {
  let echo: Server;
  let relay: DelayedRelay;
  let port = 0;
  const accepted: Socket[] = [];

  before(async () => {
    echo = createServer({ allowHalfOpen: true }, (socket) => {
      accepted.push(socket);
      socket.pipe(socket);
      socket.on("error", () => socket.destroy());
    });
    echo.listen(0, "127.0.0.1");
    await once(echo, "listening");
    relay = new DelayedRelay((echo.address() as AddressInfo).port, roundTrip);
    port = await relay.start();
  });
  after(async () => {
    await relay.stop();
    echo.close();
  });

  it("holds each request back for a round trip, also on a connection that is open already", async () => {
    const socket = connect(port, "127.0.0.1");
    for (const word of ["one", "two"]) {
      const begun = performance.now();
      socket.write(word);
      const [answer] = (await once(socket, "data")) as [Buffer];
      assert.equal(String(answer), word);
      // Node's timers count whole milliseconds, and each of the two may be one early.
      assert.ok(performance.now() - begun >= roundTrip - 2, `${performance.now() - begun} ms`);
    }
    socket.destroy();
  });

  it("passes on all of a long answer, in its order, to the end", async () => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join("");
    socket.end(lines);
    assert.equal((await text(socket)) === lines, true);
  });

  it("ends a connection on both sides when one of them is gone", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("hello");
    await once(socket, "data");
    const other = accepted.at(-1) ?? assert.fail();
    socket.resetAndDestroy();
    if (!other.closed) await once(other, "close");
  });

  it("is reached by the same kubeconfig with another port", () => {
    const kubeconfig =
      "clusters:\n- name: camp\n  cluster:\n    server: https://127.0.0.1:6443\n    insecure: no\nusers: [u]\n";
    assert.equal(portIn(kubeconfig), 6443);
    assert.equal(portIn(withPort(kubeconfig, 7443)), 7443);
    assert.match(withPort(kubeconfig, 7443), /server: https:\/\/127\.0\.0\.1:7443\n(.*\n)*users:\n {2}- u\n/);
  });
});
