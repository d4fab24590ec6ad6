import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ConfigFiles } from "../../../watch/configFiles.ts";

const poll = 10;

describe("the configuration's files", () => {
  let folder: string;
  let files: ConfigFiles;
  let changes: number;
  const path = (name: string) => join(folder, name);
  /** In one go: a look between emptying and filling would be a change of its own. */
  const replace = async (name: string, text: string) => {
    await writeFile(path(`${name}.new`), text);
    await rename(path(`${name}.new`), path(name));
  };
  const changed = async (times: number) => {
    while (changes < times) {
      await setTimeout(poll);
    }
    // A few more looks, for one that is told twice.
    await setTimeout(5 * poll);
    assert.equal(changes, times);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-files-"));
    changes = 0;
    files = new ConfigFiles(() => changes++, poll);
    await writeFile(path("a.yaml"), "one");
    files.watch([path("a.yaml"), path("b.yaml")]);
  });
  afterEach(async () => {
    files.close();
    await rm(folder, { recursive: true });
  });

  it("are told to have changed when one's content has, also when it comes or goes", async () => {
    await replace("a.yaml", "two");
    await changed(1);
    await writeFile(path("b.yaml"), "");
    await changed(2);
    await rm(path("a.yaml"));
    await changed(3);
  });

  it("are not when the same is written again, or what was not watched", async () => {
    await replace("a.yaml", "one");
    await writeFile(path("c.yaml"), "three");
    await changed(0);
  });

  it("are followed through links, as a mounted ConfigMap has them", async () => {
    await writeFile(path("v1"), "one");
    await writeFile(path("v2"), "two");
    await symlink(path("v1"), path("data"));
    files.watch([path("data")]);
    await symlink(path("v2"), path("data.new"));
    await rename(path("data.new"), path("data"));
    await changed(1);
  });

  it("keep what was known of them when they are named again", async () => {
    await replace("a.yaml", "two");
    files.watch([path("a.yaml"), path("b.yaml")]);
    await changed(1);
  });

  it("are let alone once it is over", async () => {
    files.close();
    await replace("a.yaml", "two");
    await changed(0);
  });

  it("are also the names in a folder", async () => {
    await mkdir(path("pages"));
    files.watch([path("pages")]);
    await writeFile(path("pages/index.md"), "one");
    await changed(1);
    // Each file is watched by itself.
    await writeFile(path("pages/index.md"), "two");
    await changed(1);
  });
});
