import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isChanged, keepFiles, withKeptFiles } from "../../../watch/keptFiles.ts";

describe("kept files", () => {
  it("puts kept files into a copy of the project, with links to all else but later pages", async () => {
    const root = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const project = join(root, "project");
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), text);
    };
    const kept = ["Pulumi.yaml", "lists/members.yaml", "../elsewhere/objects.yaml", "pages/index.md"];
    for (const path of [...kept, "index.ts", "lists/other.yaml", "../state/stacks.json"]) {
      await write(path, "good");
    }
    const files = keepFiles([...kept, "pages", "absent.yaml"].map((path) => join(project, path)));
    for (const path of [...kept, "index.ts", "pages/later.md"]) {
      await write(path, "edited");
    }
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
    assert.equal(await readFile(join(root, "state/stacks.json"), "utf8"), "written");
    await rm(root, { recursive: true });
  });

  it("differ from those before where one was saved meanwhile, not where one was found", () => {
    const [good, bad] = [Buffer.from("good"), Buffer.from("bad")];
    const before = new Map([["/p/Pulumi.yaml", good]]);
    assert.ok(!isChanged(before, new Map([...before, ["/p/members.yaml", bad]])));
    assert.ok(isChanged(before, new Map([["/p/Pulumi.yaml", bad]])));
  });
});
