import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { Interrupted } from "../../../../commands/common/problem.ts";
import { report } from "../../../../commands/common/run.ts";
import { atTerminal } from "../../../../commands/common/terminal.ts";

describe("questions at the terminal", () => {
  const streams = () => ({ input: new PassThrough(), output: new PassThrough() });

  it("end with the input, as by Ctrl-D, and so does the command, without a stack trace", async () => {
    const { input, output } = streams();
    input.end();
    const asking = atTerminal((ask) => ask("Host: "), { input, output });
    await assert.rejects(asking, Interrupted);
    assert.match(await text(output.end()), /^Host: \s+$/);
    const { exitCode } = process;
    const printed = mock.method(console, "error", () => undefined);
    try {
      await report(() => asking.then(() => undefined));
      assert.equal(process.exitCode, 130);
      assert.match(String(printed.mock.calls[0]?.arguments), /^Interrupted\. [^\n]*$/);
    } finally {
      process.exitCode = exitCode;
      printed.mock.restore();
    }
  });
});
