import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { directDependencies, requiredPlugins } from "../../../../sandbox/standins/language/packages.ts";
import { useFolder } from "../../testFolder.ts";

describe("what the stand-in for the language host reads of packages", () => {
  const folder = useFolder();
  const write = (path: string, content: object) =>
    folder.write({ [join(path, "package.json")]: JSON.stringify(content) });
  const plugin = (version: string) => ({ name: "@pulumi/random", version, pulumi: { resource: true } });
  /** Writes npm's mark, as of so many seconds ago. */
  const npmHasRun = async (secondsAgo: number) => {
    const mark = join(folder.path, "node_modules/.package-lock.json");
    await writeFile(mark, "{}");
    const time = Date.now() / 1000 - secondsAgo;
    await utimes(mark, time, time);
  };

  beforeEach(() => write("node_modules/@pulumi/random", plugin("4.0.0")));

  it("is read again once npm has changed something, and only then", async () => {
    await npmHasRun(60);
    assert.deepEqual(await requiredPlugins(folder.path), [{ name: "random", version: "v4.0.0" }]);
    write("node_modules/@pulumi/random", plugin("4.1.0"));
    assert.deepEqual(await requiredPlugins(folder.path), [{ name: "random", version: "v4.0.0" }]);
    await npmHasRun(0);
    assert.deepEqual(await requiredPlugins(folder.path), [{ name: "random", version: "v4.1.0" }]);
  });

  it("has a package of another name than it is asked for by", async () => {
    write(".", { dependencies: { "typescript-7": "npm:typescript@7.0.2", missing: "1.0.0" } });
    write("node_modules/typescript-7", { name: "typescript", version: "7.0.2" });
    assert.deepEqual(await directDependencies(folder.path), [{ name: "typescript", version: "7.0.2" }]);
  });
});
