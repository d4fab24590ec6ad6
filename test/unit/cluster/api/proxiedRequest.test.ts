import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { proxiedRequest } from "../../../../cluster/api/proxiedRequest.ts";
import { useHttpServer } from "../../httpServer.ts";
import { restore } from "../fakeApiServer.ts";

describe("a request through the environment's proxy", () => {
  const asked: string[] = [];
  const server = useHttpServer((request, response, body) => {
    asked.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(200).write("begun");
  });
  server.http.on("connect", ({ method, url }, socket) => {
    asked.push(`${method} ${url}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  beforeEach(() => {
    asked.length = 0;
  });
  const post = (url: string, signal = new AbortController().signal) =>
    proxiedRequest(new URL(url), { method: "POST", headers: {}, body: "{}", signal });

  it("sends a request through the proxy of its server's protocol, and elsewhere directly", async () => {
    const { HTTPS_PROXY } = process.env;
    process.env.HTTPS_PROXY = server.url;
    try {
      await assert.rejects(post("https://hook.test/x"), /403|[Pp]roxy/);
      const response = await post(`${server.url}/y`);
      assert.equal(response.statusCode, 200);
      response.destroy();
      assert.deepEqual(asked, ["CONNECT hook.test:443", "POST /y {}"]);
    } finally {
      restore("HTTPS_PROXY", HTTPS_PROXY);
    }
  });

  it("ends a request through a proxy at its signal, before the answer and within", async () => {
    await assert.rejects(post(`${server.url}/x`, AbortSignal.abort(new Error("late"))), (error: Error) => {
      assert.equal(Object(error.cause).message, "late");
      return true;
    });
    const controller = new AbortController();
    const response = await post(`${server.url}/x`, controller.signal);
    const reading = text(response);
    controller.abort();
    await assert.rejects(reading, /abort/);
  });
});
