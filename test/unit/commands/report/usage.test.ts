import assert from "node:assert/strict";
import { kubecampCommand } from "../../../../kubecamp.ts";

describe("the usage of kubecamp report", () => {
  const program = kubecampCommand();
  const report = program.commands.find((command) => command.name() === "report") ?? assert.fail("no command");
  report.exitOverride().configureOutput({ writeErr: () => undefined });

  it("fits the usage of 'kubecamp report' into a terminal", () => {
    assert.deepEqual(
      report
        .helpInformation()
        .split("\n")
        .filter((line) => line.length > 80),
      [],
    );
  });

  for (const [args, words] of [
    [[], "error: required option '--stack <name>' not specified"],
    [["--stack", "x", "-o", "markdown", "--max-length", "99"], "It takes a whole number from 8000."],
    [["--stack", "x", "--fail-on", "removal,foo"], "'foo' is none of removal, takeover, bucket, replacement,"],
  ] as const) {
    it(`refuses '${["report", ...args].join(" ")}'`, async () => {
      const parsed = program.parseAsync(["report", ...args], { from: "user" });
      await assert.rejects(parsed, ({ message }: Error) => message.includes(words));
    });
  }
});
