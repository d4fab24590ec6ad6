import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isChanged, keepFiles, withKeptFiles } from "../../../watch/keptFiles.ts";
import { useFolder } from "../testFolder.ts";

describe("kept files", () => {
  const root = useFolder();

  it("puts kept files into a copy of the project, with links to all else but later pages", async () => {
    const project = join(root.path, "project");
    const write = (paths: readonly string[], text: string) =>
      root.write(Object.fromEntries(paths.map((path) => [join("project", path), text])));
    const kept = ["Pulumi.yaml", "lists/members.yaml", "../elsewhere/objects.yaml", "pages/index.md"];
    write([...kept, "index.ts", "lists/other.yaml", "../state/stacks.json"], "good");
    const files = keepFiles([...kept, "pages", "absent.yaml"].map((path) => join(project, path)));
    write([...kept, "index.ts", "pages/later.md"], "edited");
    const copy = await withKeptFiles(project, files, async (folder) => {
      for (const path of kept) {
        assert.equal(await readFile(join(folder, path), "utf8"), "good", path);
      }
      assert.equal(await readFile(join(folder, "index.ts"), "utf8"), "edited");
      assert.equal(await readFile(join(folder, "lists/other.yaml"), "utf8"), "good");
      // Such as a backend's, which is written to.
      await writeFile(join(folder, "../state/stacks.json"), "written");
      assert.deepEqual(await readdir(join(folder, "pages")), ["index.md"]);
      return folder;
    });
    assert.ok(!existsSync(copy));
    assert.equal(await readFile(join(root.path, "state/stacks.json"), "utf8"), "written");
  });

  it("differ from those before where one was saved meanwhile, not where one was found", () => {
    const [good, bad] = [Buffer.from("good"), Buffer.from("bad")];
    const before = new Map([["/p/Pulumi.yaml", good]]);
    assert.ok(!isChanged(before, new Map([...before, ["/p/members.yaml", bad]])));
    assert.ok(isChanged(before, new Map([["/p/Pulumi.yaml", bad]])));
  });
});
