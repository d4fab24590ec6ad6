import assert from "node:assert/strict";
import { kubecampCommand } from "../../../../commands/kubecamp.ts";

class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Output and exit of the command line where it makes no report. */
async function reported(...args: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  const program = kubecampCommand();
  const report = program.commands.find((command) => command.name() === "report") ?? assert.fail("no command");
  report.configureOutput({
    writeOut: (text) => {
      printed.stdout += text;
    },
    writeErr: (text) => {
      printed.stderr += text;
    },
  });
  const { exit } = process;
  process.exit = (code) => {
    throw new Exit(Number(code));
  };
  try {
    await program.parseAsync(["report", ...args], { from: "user" });
    assert.fail("it began");
  } catch (error) {
    if (!(error instanceof Exit)) {
      throw error;
    }
    return { exitCode: error.code, ...printed };
  } finally {
    process.exit = exit;
  }
}

describe("the usage of kubecamp report", () => {
  it("is told of on request", async () => {
    const { exitCode, stdout } = await reported("--help");
    assert.equal(exitCode, 0);
    assert.deepEqual(
      stdout.split("\n").filter((line) => line.length > 80),
      [],
    );
    assert.match(stdout, /\nExamples:\n[\s\S]*Exit codes: 0 reported; 1 [\s\S]*docs\/run\/report\.md/);
  });

  for (const [args, words] of [
    [[], "error: required option '--stack <name>' not specified"],
    [["--stack", "x", "--max-length", "9000"], "error: option '--max-length' does nothing without '-o markdown'"],
    [["--stack", "x", "-o", "markdown", "--max-length", "99"], "It takes a number from 8000."],
    [
      ["--stack", "x", "--fail-on", "removal,foo"],
      "'foo' is none of removal, takeover, bucket, replacement, pending, change.",
    ],
  ] as const) {
    it(`is told of 'report ${args.join(" ")}'`, async () => {
      const { exitCode, stdout, stderr } = await reported(...args);
      assert.deepEqual([exitCode, stdout], [2, ""]);
      assert.ok(stderr.includes(words), stderr);
    });
  }
});
