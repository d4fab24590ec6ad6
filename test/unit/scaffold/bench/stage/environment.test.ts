import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { measuredEnvironment } from "../../../../../scaffold/bench/stage/environment.ts";
import { sandboxNamed } from "../../../../../scaffold/sandbox/sandbox.ts";

describe("what a measured run sees", () => {
  it("is the sandbox's environment, and nothing that makes a run quicker than a person's or leads it elsewhere", () => {
    const sandbox = sandboxNamed("bench-unit");
    const callers = {
      HOME: "/home/me",
      PATH: "/usr/bin",
      KUBECONFIG: "/home/me/.kube/config",
      PULUMI_SKIP_CHECKPOINTS: "true",
      KUBECAMP_TARGET_FILE: "/tmp/aim.json",
      GOGC: "400",
      NODE_OPTIONS: "--max-old-space-size=8192",
    };
    const env = measuredEnvironment(sandbox, { kubernetes: "official", languageHost: "official" }, callers);
    assert.equal(env.HOME, "/home/me");
    assert.equal(env.KUBECONFIG, sandbox.kubeconfig);
    assert.match(env.PATH ?? "", /:\/usr\/bin$/);
    for (const name of ["PULUMI_SKIP_CHECKPOINTS", "KUBECAMP_TARGET_FILE", "GOGC", "NODE_OPTIONS"]) {
      assert.equal(env[name], undefined, name);
    }
  });
});
