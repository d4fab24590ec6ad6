import assert from "node:assert/strict";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";

describe("the command kubecamp", () => {
  it("says in words which Node it needs, and where to get it in a clone and elsewhere", async () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.17.9" } })';
    const preload = `data:text/javascript,${encodeURIComponent(older)}`;
    const program = join(repository, "bin/kubecamp.mjs");
    const { exitCode, stdout, stderr } = await execa(process.execPath, ["--import", preload, program], {
      reject: false,
    });
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.equal(
      stderr,
      "kubecamp: this is Node 22.17.9, and Node 22.18 or later is needed.\n" +
        "In a clone of kubecamp's repository, 'npm ci' brings Node 24: put node_modules/.bin first on the PATH.\n" +
        "Elsewhere, install it: https://nodejs.org/",
    );
  });
});
