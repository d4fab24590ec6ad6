import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeProblem, Problem } from "../../../commands/common/problem.ts";
import { sandboxNamed } from "../../../sandbox/sandbox.ts";

describe("a sandbox's name", () => {
  it("is dev unless another is given", () => {
    assert.equal(sandboxNamed().name, "dev");
    assert.equal(sandboxNamed("try-2").name, "try-2");
  });

  it("never leads out of its folder or into a shared one", () => {
    for (const name of ["", "..", "../x", "a/b", "Upper", "-a", "a-", "a b", "a".repeat(33), "tools", "plugins"]) {
      assert.throws(() => sandboxNamed(name), Problem, name);
    }
  });
});

describe("a problem", () => {
  it("is told as what, why and what to do, without a stack", () => {
    const problem = new Problem("Go is missing.", { why: "There is none\non the PATH.", remedy: "Install it." });
    assert.equal(
      describeProblem(problem),
      `Error: Go is missing.
  why:        There is none
              on the PATH.
  what to do: Install it.`,
    );
  });

  it("shows the stack of what nobody foresaw", () => {
    const { stackTraceLimit } = Error;
    // A run of Pulumi's program in this process sets it to zero.
    Error.stackTraceLimit = 10;
    const error = new TypeError("oops");
    Object.assign(Error, { stackTraceLimit });
    assert.match(describeProblem(error), /TypeError: oops\n\s+at /);
  });
});
