import assert from "node:assert/strict";
import { mock } from "node:test";
import { type PrintOptions, printReport } from "../../../../commands/report/show.ts";
import { error, pending, reportOn } from "./previews.ts";

describe("a printed report", () => {
  /** What stdout and stderr get, and the exit code or the error. */
  function printed(options: Partial<PrintOptions>, ...found: Parameters<typeof reportOn>) {
    const { exitCode } = process;
    const [out, err] = (["log", "error"] as const).map((stream) => mock.method(console, stream, () => undefined));
    const lines = (of: typeof out) => of?.mock.calls.flatMap(({ arguments: some }) => some as readonly string[]);
    try {
      process.exitCode = 0;
      printReport(reportOn(...found), { output: "text", failOn: [], maxLength: 65_000, ...options });
      return [lines(out)?.[0]?.split("\n")[0], lines(err), process.exitCode];
    } catch (cause) {
      return [lines(out)?.[0]?.split("\n")[0], lines(err), (cause as Error).message];
    } finally {
      process.exitCode = exitCode;
      out?.mock.restore();
      err?.mock.restore();
    }
  }
  const waits = { warnings: [pending("bob")] };
  const summary = "Stack dev: Nothing changes. 1 pending";

  it("ends with 3 where something of --fail-on is there, and with 0 where nothing is", () => {
    assert.deepEqual(printed({ failOn: ["removal", "pending"] }, [], waits), [
      summary,
      ["--fail-on found: pending."],
      3,
    ]);
    assert.deepEqual(printed({ failOn: ["removal"] }, [], waits), [summary, [], 0]);
  });

  it("ends with 1 where the preview failed, whatever is there of --fail-on", () => {
    const why = ["There is no preview, or it failed: see the errors in the report."];
    const failed = printed({ failOn: ["pending"] }, [], { ...waits, ...error("no") });
    assert.deepEqual(failed, ["Stack dev: The preview failed.", why, 1]);
    const unstarted = printed({}, [], {}, { failure: "incorrect passphrase" });
    assert.deepEqual(unstarted.slice(1), [why, 1]);
  });

  it("is printed where the rest can't be written", () => {
    const attach = "no/such/folder.md";
    const problem = `The whole report can't be written to ${attach}.`;
    assert.deepEqual(printed({ attach }, [], waits), [summary, [], problem]);
  });
});
