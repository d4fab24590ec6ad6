import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTemporaryFolders, withTemporaryFolder } from "../../../cluster/temporaryFolder.ts";

describe("a temporary folder", () => {
  it("makes a temporary folder its user's alone, and removes that after work, also failed work", async () => {
    let made = "";
    const work = withTemporaryFolder("kubecamp-unit-", async (folder) => {
      made = folder;
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      throw new Error("no");
    });
    await assert.rejects(work, /no/);
    assert.ok(made !== "" && !existsSync(made));
  });

  it("removes a temporary folder when the process exits: a file may have a proxy's password", async () => {
    assert.ok(process.listeners("exit").includes(removeTemporaryFolders));
    await withTemporaryFolder("kubecamp-unit-", async (folder) => {
      await writeFile(join(folder, "kubeconfig"), "secret");
      removeTemporaryFolders();
      assert.equal(existsSync(folder), false);
    });
  });
});
