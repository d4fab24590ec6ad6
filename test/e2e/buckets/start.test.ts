import assert from "node:assert/strict";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";

/** Starts the plugin as Pulumi does, in a Node that reports this version, and without the engine's address. */
async function started(version: string) {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const program = join(repository, "buckets/plugin/pulumi-resource-kubecamp-buckets");
  const preload = `data:text/javascript,${encodeURIComponent(older)}`;
  return execa(process.execPath, ["--import", preload, program], { reject: false });
}

describe("the plugin for buckets", () => {
  it("says in words which Node it needs", async () => {
    for (const version of ["20.20.2", "22.17.9"]) {
      const { exitCode, stdout, stderr } = await started(version);
      assert.deepEqual([exitCode, stdout], [1, ""]);
      assert.equal(
        stderr,
        `kubecamp's plugin for buckets: this is Node ${version}, and Node 22.18 or later is needed; ` +
          "put one first on the PATH (after 'npm ci' there is one in node_modules/.bin), then run again",
      );
    }
  });

  it("starts the plugin with any Node that is new enough", async () => {
    for (const version of ["22.18.0", "24.0.0"]) {
      assert.match((await started(version)).stderr, /^usage: /);
    }
  });
});
