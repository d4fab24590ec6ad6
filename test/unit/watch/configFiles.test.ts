import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import { ConfigFiles } from "../../../watch/configFiles.ts";
import { useFolder } from "../testFolder.ts";

/** Milliseconds between two looks. */
const poll = 500;

describe("the configuration's files", () => {
  const folder = useFolder();
  let files: ConfigFiles;
  let changes: number;
  const path = (name: string) => join(folder.path, name);
  const write = (name: string, text: string) => writeFile(path(name), text);
  const changed = (times: number) => {
    mock.timers.tick(2 * poll);
    assert.equal(changes, times);
    // A few more looks, for one that is told twice.
    mock.timers.tick(5 * poll);
    assert.equal(changes, times);
  };

  beforeEach(async () => {
    changes = 0;
    mock.timers.enable({ apis: ["setInterval"] });
    files = new ConfigFiles(() => changes++, poll);
    await write("a.yaml", "one");
    files.watch([path("a.yaml"), path("b.yaml")]);
  });
  afterEach(() => {
    files.close();
    mock.timers.reset();
  });

  it("tells of a configuration file whose content has changed, or that comes or goes", async () => {
    await write("a.yaml", "two");
    changed(1);
    await write("b.yaml", "");
    changed(2);
    await rm(path("a.yaml"));
    changed(3);
  });

  it("tells of a changed file only once two reads agree: an editor may not have written all", async () => {
    for (const text of ["t", "tw", "two"]) {
      await write("a.yaml", text);
      mock.timers.tick(poll);
      assert.equal(changes, 0, text);
    }
    mock.timers.tick(poll);
    assert.equal(changes, 1);
  });

  it("follows configuration files through links, as a mounted ConfigMap has these", async () => {
    await write("v1", "one");
    await write("v2", "two");
    await symlink(path("v1"), path("data"));
    files.watch([path("data")]);
    await symlink(path("v2"), path("data.new"));
    await rename(path("data.new"), path("data"));
    changed(1);
  });

  it("keeps what is known of configuration files when others are added, as by an edit meanwhile", async () => {
    await write("a.yaml", "two");
    await write("c.yaml", "three");
    files.watch([path("a.yaml"), path("c.yaml")]);
    changed(1);
    await write("c.yaml", "four");
    changed(2);
  });

  it("takes the names in a folder for part of the configuration", async () => {
    await mkdir(path("pages"));
    files.watch([path("pages")]);
    await write("pages/index.md", "one");
    changed(1);
    // Each file is watched by itself.
    await write("pages/index.md", "two");
    changed(1);
  });
});
