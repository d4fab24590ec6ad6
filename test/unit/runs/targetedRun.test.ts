import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readTarget, type TargetFile, targetsOf } from "../../../config/model/target.ts";
import { withTargetedWorkspace } from "../../../runs/targetedRun.ts";
import { alice, bob } from "../samples.ts";

describe("a targeted run", () => {
  for (const [whose, target, flags, members] of [
    ["some", { stack: "dev", members: ["bob"] }, targetsOf(["bob"]), [bob]],
    ["everybody", { stack: "dev" }, undefined, [alice, bob]],
  ] as const) {
    it(`gives the engine flags for ${whose}, and the program equal ones in its environment`, async () => {
      const workspace = { envVars: { PULUMI_HOME: "/home" } as Record<string, string> };
      const result = await withTargetedWorkspace(workspace, target as TargetFile, async (options) => {
        assert.equal(options.target?.join(","), flags);
        assert.equal(workspace.envVars.PULUMI_HOME, "/home");
        const isWhole = flags === undefined;
        assert.deepEqual(readTarget([alice, bob], "dev", workspace.envVars), {
          ...{ members, isWhole, removedMembers: [], waits: false },
        });
        return "done";
      });
      assert.deepEqual([result, workspace.envVars], ["done", { PULUMI_HOME: "/home" }]);
    });
  }

  it("leaves nothing of a targeted run's aim behind, also where the run fails early", async () => {
    const workspace = { envVars: {} as Record<string, string> };
    let file = "";
    const run = withTargetedWorkspace(workspace, { stack: "dev", members: ["bob"] }, async () => {
      file = workspace.envVars.KUBECAMP_TARGET_FILE ?? "";
      assert.ok(existsSync(file));
      throw new Error("locked");
    });
    await assert.rejects(run, /locked/);
    assert.deepEqual([existsSync(file), workspace.envVars], [false, {}]);
  });
});
