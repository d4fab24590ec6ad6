import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Worker } from "node:worker_threads";
import { execa } from "execa";
import { answersIn, probeArguments, probeScript, type Try } from "../../../../../verify/parts/network/probe.ts";
import { listening } from "../../../../support/listening.ts";

/** Not every machine has BusyBox's. This one connects as that does with these arguments, in a tenth of the time. */
const nc = `
const [w, seconds, host, port, ...program] = process.argv.slice(2);
require("node:assert").deepEqual([w, ...program], ["-w", "-e", "true"]);
const socket = require("node:net").connect({ host, port: Number(port), timeout: Number(seconds) * 100 });
socket.on("connect", () => process.exit(0)).on("error", () => process.exit(1)).on("timeout", () => process.exit(1));
`;
const nslookup = `
console.log({ known: "Server:\\t10.0.0.2\\n\\nName:\\tknown", unknown: "** server can't find unknown: NXDOMAIN" }[process.argv[2]]
  ?? ";; connection timed out; no servers could be reached");
`;

describe("the script of a probe", () => {
  let folder: string;
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  let deaf: Worker | undefined;

  const tool = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  };
  const run = async (all: readonly Try[], path = `${folder}${delimiter}${process.env.PATH}`) =>
    (
      await execa("/bin/sh", ["-c", probeScript, "verify", ...probeArguments(all)], {
        env: { PATH: path },
        extendEnv: false,
      })
    ).stdout;
  const tcp = (port: number, address = "127.0.0.1"): Try => ({ how: "tcp", address, port });

  const serve = async (options: { readonly allowHalfOpen: boolean }) => {
    const server = createServer(options, (socket) => void sockets.push(socket.resume()));
    servers.push(server);
    return await listening(server);
  };

  /** A port whose queue is full, which drops what comes, as a NetworkPolicy does. */
  const blackHole = async () => {
    deaf = new Worker(
      `const { parentPort } = require("node:worker_threads");
       const server = require("node:net").createServer();
       server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
         parentPort.postMessage(server.address().port);
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       });`,
      { eval: true },
    );
    const [port] = (await once(deaf, "message")) as [number];
    sockets.push(...Array.from({ length: 4 }, () => connect({ port, host: "127.0.0.1" }).on("error", () => undefined)));
    return port;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-probe-"));
    await tool("nc", `#!${process.execPath}\n${nc}`);
    await tool("nslookup", `#!${process.execPath}\n${nslookup}`);
  });
  after(async () => {
    for (const socket of sockets) {
      socket.destroy();
    }
    for (const server of servers) {
      server.close();
    }
    await deaf?.terminate();
    await rm(folder, { recursive: true, force: true });
  });

  it("says of each place whether it is open, at the same time", async () => {
    const ends = await serve({ allowHalfOpen: false });
    const stays = await serve({ allowHalfOpen: true });
    const unused = await serve({ allowHalfOpen: false });
    servers.pop()?.close();
    const name = (address: string): Try => ({ how: "name", address, port: 53 });
    const expected = new Map<Try, boolean>([
      [tcp(ends), true],
      [tcp(ends, "::ffff:127.0.0.1"), true],
      // It never ends the connection.
      [tcp(stays), true],
      [tcp(unused), false],
      // It drops each packet.
      [tcp(await blackHole()), false],
      [name("known"), true],
      // That there is no such name is an answer.
      [name("unknown"), true],
      [name("lost"), false],
    ]);
    const all = [...expected.keys()];
    assert.deepEqual(answersIn(await run(all), all), [...expected.values()]);
  });

  it("names a tool that the image lacks", async () => {
    const message = await run([tcp(1)], "/nowhere");
    assert.throws(() => answersIn(message, [tcp(1)]), { message: "its pod ended with: the image has no nc" });
  });

  for (const message of ["", "0 open", "0 open\n1 perhaps", "0 open\n1 closed\n2 open", 'exec: "sh": not found']) {
    it(`takes '${message.replaceAll("\n", "; ")}' for no answer to two questions`, () => {
      assert.throws(() => answersIn(message, [tcp(1), tcp(2)]), /^Error: its pod ended with: /);
    });
  }

  it("has room in a pod's status for hundreds of places", () => {
    const lines = probeArguments(Array.from({ length: 300 }, () => tcp(1))).map(
      (each) => `${each.split(" ")[0]} closed\n`,
    );
    assert.ok(lines.join("").length < 4096);
  });
});
