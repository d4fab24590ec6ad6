import assert from "node:assert/strict";
import { describeProblem, Problem } from "../../../../commands/common/problem.ts";
import { RunError } from "../../../../config/values/runError.ts";
import { inWords } from "../../../../runs/pulumiWords.ts";

describe("how commands print an error", () => {
  it("is the same for those of commands and of runs", () => {
    const [what, parts] = ["Can't read the Services.", { why: "403 forbidden\nby the API server", remedy: "Ask." }];
    const text = `Error: Can't read the Services.
  why:        403 forbidden
              by the API server
  what to do: Ask.`;
    assert.equal(describeProblem(new Problem(what, parts)), text);
    assert.equal(describeProblem(new RunError(what, parts)), text);
  });

  it("has no reason where the error itself says it all", () => {
    assert.equal(
      describeProblem(new RunError("There is no kubeconfig.", { remedy: "Name one." })),
      "Error: There is no kubeconfig.\n  what to do: Name one.",
    );
    assert.equal(describeProblem(new RunError("The program failed.")), "Error: The program failed.");
  });

  it("tells in Pulumi's own text the same, with reasons below a sentence and after a clause", () => {
    assert.equal(
      new RunError("It has mistakes.", { why: "a: 1\nb: 2", remedy: "Correct." }).message,
      "It has mistakes.\n  a: 1\n  b: 2\nCorrect.",
    );
    assert.equal(
      new RunError("Can't read it", { why: "gone", remedy: "Run again." }).message,
      "Can't read it: gone\nRun again.",
    );
  });

  it("says what to do about a missing passphrase, and no more than Pulumi about what is not known", async () => {
    const printed = (words: string) =>
      inWords("Stack 'prod' can't be opened", () => Promise.reject(new Error(`error: ${words}`))).catch(
        describeProblem,
      );
    assert.match(
      String(await printed("passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE")),
      /^Error: Stack 'prod' can't be opened\n {2}why: +passphrase must be set .*\n {2}what to do: Set PULUMI_CONFIG_PASSPHRASE to /,
    );
    assert.equal(
      await printed("the backend is asleep"),
      "Error: Stack 'prod' can't be opened\n  why:        the backend is asleep",
    );
  });
});
