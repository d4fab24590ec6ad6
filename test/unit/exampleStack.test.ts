import assert from "node:assert/strict";
import { checkFiles } from "../../commands/members/checks.ts";
import { repository } from "../../sandbox/paths.ts";

describe("Pulumi.prod.yaml, the example of a real cluster", () => {
  it("finds no mistake and no warning in Pulumi.prod.yaml, the example of a real cluster", () => {
    const checks = checkFiles(["Pulumi.prod.yaml"], repository, "2026-11-21");
    assert.deepEqual(
      checks.map(({ file, stack, members, mistakes, warnings }) => ({ file, stack, members, mistakes, warnings })),
      [{ file: "members.prod.yaml", stack: "prod", members: 3, mistakes: [], warnings: [] }],
    );
  });
});
