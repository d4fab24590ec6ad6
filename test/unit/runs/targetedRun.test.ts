import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readTarget, targetsOf } from "../../../config/model/target.ts";
import { withTargetedWorkspace } from "../../../runs/targetedRun.ts";
import { alice, bob } from "../samples.ts";

describe("a targeted run", () => {
  it("gives the engine the targets as flags, and the program the same in an environment that it takes", async () => {
    const workspace = { envVars: { PULUMI_HOME: "/home" } as Record<string, string> };
    let file = "";
    const result = await withTargetedWorkspace(workspace, { stack: "dev", members: ["bob"] }, async ({ target }) => {
      assert.equal(target?.join(","), targetsOf(["bob"]));
      assert.equal(workspace.envVars.PULUMI_HOME, "/home");
      file = workspace.envVars.KUBECAMP_TARGET_FILE ?? "";
      assert.deepEqual(readTarget([alice, bob], "dev", workspace.envVars), {
        members: [bob],
        isWhole: false,
        removedMembers: [],
        waits: false,
      });
      return "done";
    });
    assert.equal(result, "done");
    assert.notEqual(file, "");
  });

  it("leaves nothing of its aim behind, also when it fails before the program has read it", async () => {
    const workspace = { envVars: {} as Record<string, string> };
    let file = "";
    const run = withTargetedWorkspace(workspace, { stack: "dev", members: ["bob"] }, async () => {
      file = workspace.envVars.KUBECAMP_TARGET_FILE ?? "";
      assert.ok(existsSync(file));
      throw new Error("locked");
    });
    await assert.rejects(run, /locked/);
    assert.equal(existsSync(file), false);
    assert.deepEqual(workspace.envVars, {});
  });

  it("has no targets for everybody, and tells the program all the same whose run it is: one that waits for nobody", async () => {
    const workspace = { envVars: {} as Record<string, string> };
    await withTargetedWorkspace(workspace, { stack: "dev" }, async (options) => {
      assert.deepEqual([options, Object.keys(workspace.envVars)], [{}, ["KUBECAMP_TARGET_FILE"]]);
      assert.deepEqual(readTarget([alice, bob], "dev", workspace.envVars), {
        members: [alice, bob],
        isWhole: true,
        removedMembers: [],
        waits: false,
      });
    });
    assert.deepEqual(workspace.envVars, {});
  });
});
