import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Login } from "../../../../watch/board/login.ts";
import { listening } from "../../../support/listening.ts";
import { boardStack } from "./stack.ts";

const settings = boardStack().settings.board ?? assert.fail();

describe("the board's question to the login", () => {
  /** Questions that the proxy has not answered yet. */
  let open: ServerResponse[];
  let url = "";
  const login = new Login();
  const proxy = createServer((_, response) => open.push(response));
  const ask = async (gone = new AbortController().signal) => {
    const answer = await login.ask("session=t", { ...settings, login: { ...settings.login, url } }, gone);
    return answer === "busy" ? answer : answer.names.join();
  };
  const answerAll = () => {
    for (const response of open.splice(0)) {
      response.writeHead(202, { [settings.header]: "tina@example.org" }).end();
    }
  };

  before(async () => {
    url = `http://127.0.0.1:${await listening(proxy)}`;
  });
  after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  beforeEach(() => {
    open = [];
  });

  it("asks the login for fifty visitors at a time, and for more once those have an end", async () => {
    const timeouts = mock.method(AbortSignal, "timeout", () => late.signal);
    const late = new AbortController();
    const left = new AbortController();
    for (const [end, expected] of [
      [answerAll, "tina@example.org"],
      [() => left.abort(new Error("gone")), "Error: gone"],
      [() => late.abort(new Error("timeout")), "Error: timeout"],
    ] as const) {
      open = [];
      const gone = expected === "Error: gone" ? left.signal : undefined;
      const questions = Promise.allSettled(Array.from({ length: 50 }, () => ask(gone)));
      while (open.length < 50) {
        await turn();
      }
      assert.equal(await ask(), "busy");
      end();
      const results = (await questions).map((each) => (each.status === "rejected" ? String(each.reason) : each.value));
      assert.deepEqual(new Set(results), new Set([expected]));
    }
    assert.deepEqual(timeouts.mock.calls[0]?.arguments, [5_000]);
    timeouts.mock.restore();
    const one = ask();
    open = [];
    while (open.length < 1) {
      await turn();
    }
    answerAll();
    assert.equal(await one, "tina@example.org");
  });
});
