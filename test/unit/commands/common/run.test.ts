import assert from "node:assert/strict";
import { mock } from "node:test";
import { reportOrExit } from "../../../../commands/common/run.ts";

describe("a command's work", () => {
  it("a command's work is ended at once by a signal, with an exit that removes temporary folders", async () => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
    const own = (signal: (typeof signals)[number]) =>
      process.listeners(signal).filter((each) => before.get(signal)?.includes(each) !== true);
    const exit = mock.method(process, "exit", () => undefined);
    try {
      await reportOrExit(async () => {
        for (const signal of signals) {
          for (const listener of own(signal)) {
            listener(signal);
          }
        }
      });
      assert.deepEqual(
        exit.mock.calls.map(({ arguments: [code] }) => code),
        [130, 143],
      );
      assert.deepEqual(signals.map(own), [[], []]);
    } finally {
      exit.mock.restore();
    }
  });
});
