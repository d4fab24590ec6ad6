import assert from "node:assert/strict";
import { mock } from "node:test";
import { stillRunning } from "../../../../sandbox/journey/stillRunning.ts";

describe("work of the sandbox that takes long", () => {
  const { isTTY } = process.stdout;
  afterEach(() => {
    process.stdout.isTTY = isTTY;
    mock.restoreAll();
    mock.timers.reset();
  });

  const linesOf = async (atTerminal: boolean) => {
    process.stdout.isTTY = atTerminal;
    mock.timers.enable({ apis: ["setInterval"] });
    const told = mock.method(console, "error", () => undefined);
    const { promise, resolve } = Promise.withResolvers<string>();
    const work = stillRunning("Stack 'dev'", promise);
    mock.timers.tick(20_000);
    resolve("up");
    assert.equal(await work, "up");
    mock.timers.tick(20_000);
    return told.mock.calls.map((call) => call.arguments[0]);
  };

  it("is a line every ten seconds in a pipe, until it ends", async () => {
    assert.deepEqual(await linesOf(false), ["Stack 'dev': not done after 10 s", "Stack 'dev': not done after 20 s"]);
  });
});
