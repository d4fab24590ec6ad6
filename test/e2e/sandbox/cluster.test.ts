import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import { clusterTimeout } from "../support/cluster.ts";
import { type TestSandbox, testSandbox } from "../support/sandbox.ts";

describe("a sandbox's cluster", () => {
  let sandbox: TestSandbox;
  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
  });

  it("has two nodes that are ready", async () => {
    const { stdout } = await sandbox.kubectl([
      "get",
      "nodes",
      "--no-headers",
      "-o",
      "custom-columns=N:.metadata.name,R:.status.conditions[-1:].type",
    ]);
    assert.equal(stdout.split("\n").length, 2);
  });
});
