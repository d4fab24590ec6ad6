import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Login } from "../../../../watch/board/login.ts";
import { boardStack } from "./stack.ts";

const settings = boardStack().settings.board ?? assert.fail();

describe("the board's question to the login", () => {
  /** Questions that the proxy has not answered yet, and the most of them at once. */
  let open: ServerResponse[];
  let most: number;
  let now: number;
  let login: Login;
  /** Those of the questions' timeouts, which a test lets go off. */
  let timeouts: AbortController[];
  const proxy = createServer((_, response) => {
    open.push(response);
    most = Math.max(most, open.length);
  });
  const here = new AbortController().signal;
  const ask = async (gone = here) => {
    const { port } = proxy.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const answer = await login.ask("session=t", { ...settings, login: { ...settings.login, url } }, gone);
    return answer === "busy" ? answer : answer.names;
  };
  const answer = (response: ServerResponse | undefined) =>
    (response ?? assert.fail("nobody asks")).writeHead(202, { [settings.header]: "tina@example.org" }).end();
  const until = async (condition: () => boolean) => {
    for (let turns = 0; !condition(); turns++) {
      assert.ok(turns < 100_000, "in vain");
      await turn();
    }
  };
  /** Answers questions as they come until all of them are. */
  const answerAll = async (questions: readonly Promise<unknown>[]) => {
    const rest = new Set(questions);
    for (const each of questions) {
      const end = () => void rest.delete(each);
      each.then(end, end);
    }
    while (rest.size > 0) {
      for (const response of open.splice(0)) answer(response);
      await turn();
    }
    return await Promise.all(questions);
  };

  before(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve)));
  after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  beforeEach(() => {
    open = [];
    most = 0;
    now = 0;
    timeouts = [];
    mock.method(AbortSignal, "timeout", (milliseconds: number) => {
      assert.equal(milliseconds, 5_000);
      const timeout = new AbortController();
      timeouts.push(timeout);
      return timeout.signal;
    });
    login = new Login(() => now);
  });
  afterEach(() => mock.restoreAll());

  it("is asked some at a time, however many visitors come at once", async () => {
    const questions = Array.from({ length: 100 }, () => ask());
    await until(() => open.length >= 10);
    for (let turns = 0; turns < 100; turns++) await turn();
    const answers = await answerAll(questions);
    assert.deepEqual(new Set(answers.flat()), new Set(["tina@example.org"]));
    assert.equal(most, 10);
  });

  it("is not asked for more visitors than may wait, but again once they are through", async () => {
    const questions = Array.from({ length: 210 }, () => ask());
    assert.deepEqual(await Promise.all([ask(), ask()]), ["busy", "busy"]);
    assert.deepEqual(new Set((await answerAll(questions)).flat()), new Set(["tina@example.org"]));
    assert.deepEqual(await answerAll([ask()]), [["tina@example.org"]]);
  });

  it("is not asked any more for those who have waited for five seconds", async () => {
    const questions = Array.from({ length: 11 }, () => ask());
    await until(() => open.length >= 10);
    now = 5_001;
    answer(open.shift());
    assert.equal(await questions[10], "busy");
    assert.equal(open.length, 9);
    assert.deepEqual((await answerAll(questions)).slice(0, 10).flat(), Array(10).fill("tina@example.org"));
    assert.deepEqual(await answerAll([ask()]), [["tina@example.org"]]);
  });

  it("is not asked any more for visitors who have left, who keep nobody waiting", async () => {
    const left = new AbortController();
    const questions = Array.from({ length: 210 }, () => ask(left.signal));
    const settled = Promise.allSettled(questions);
    await until(() => open.length >= 10);
    const begun = open.splice(0);
    left.abort();
    // The proxy has answered nobody.
    assert.ok((await settled).every(({ status }) => status === "rejected"));
    assert.deepEqual(open, []);
    assert.equal(begun.length, 10);
    assert.deepEqual(await answerAll([ask()]), [["tina@example.org"]]);
  });

  it("gives up after five seconds, and asks for the next one", async () => {
    const questions = Array.from({ length: 11 }, () => ask());
    const settled = Promise.allSettled(questions);
    await until(() => open.length >= 10);
    const stuck = open.splice(0);
    for (const timeout of timeouts) timeout.abort(new Error("timeout"));
    await until(() => open.length > 0);
    for (const response of [...stuck, ...open]) answer(response);
    const results = await settled;
    assert.deepEqual(
      results.map((result) => (result.status === "rejected" ? String(result.reason) : result.value)),
      [...Array(10).fill("Error: timeout"), ["tina@example.org"]],
    );
  });
});
