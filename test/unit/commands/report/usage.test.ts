import assert from "node:assert/strict";
import { Command, type CommanderError } from "commander";
import { addReportCommand } from "../../../../commands/report.ts";

/** What the command line says and how it ends, where it comes to no report. */
async function told(...args: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  const program = new Command("kubecamp").exitOverride().configureOutput({
    writeOut: (text) => {
      printed.stdout += text;
    },
    writeErr: (text) => {
      printed.stderr += text;
    },
  });
  addReportCommand(program);
  const ended = await program.parseAsync(["report", ...args], { from: "user" }).then(
    () => assert.fail("it began"),
    (error: CommanderError) => error,
  );
  return { exitCode: ended.exitCode, ...printed };
}

describe("the usage of kubecamp report", () => {
  it("is told of on request", async () => {
    const { exitCode, stdout } = await told("--help");
    assert.equal(exitCode, 0);
    assert.deepEqual(
      stdout.split("\n").filter((line) => line.length > 80),
      [],
    );
    assert.match(stdout, /\nExamples:\n[\s\S]*Exit codes: 0 reported; 1 [\s\S]*docs\/report\.md/);
  });

  for (const [args, words] of [
    [[], "error: without a file, '--stack <name>' has to say which stack is previewed"],
    [["x.json", "--refresh"], "error: option '--refresh' does nothing with a file"],
    [["x.json", "--max-length", "9000"], "error: option '--max-length' does nothing without '-o markdown'"],
    [["x.json", "-o", "markdown", "--max-length", "99"], "It takes a number from 8000."],
    [["x.json", "--fail-on", "removal,foo"], "'foo' is none of removal, bucket, replacement, pending, change."],
    [["x.json", "-o", "yaml"], "Allowed choices are text, markdown, json."],
  ] as const) {
    it(`is told of 'report ${args.join(" ")}'`, async () => {
      const { exitCode, stdout, stderr } = await told(...args);
      // Of any but 0, the command line makes 2.
      assert.deepEqual([exitCode, stdout], [1, ""]);
      assert.ok(stderr.includes(words), stderr);
    });
  }
});
