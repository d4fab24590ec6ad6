import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directDependencies, requiredPlugins } from "../../../../../scaffold/sandbox/standins/language/packages.ts";

describe("what the stand-in for the language host reads of packages", () => {
  let folder = "";
  const write = async (path: string, content: object) => {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, "package.json"), JSON.stringify(content));
  };
  const plugin = (version: string) => ({ name: "@pulumi/random", version, pulumi: { resource: true } });
  /** Writes npm's mark, as of so many seconds ago. */
  const npmHasRun = async (secondsAgo: number) => {
    const mark = join(folder, "node_modules/.package-lock.json");
    await writeFile(mark, "{}");
    const time = Date.now() / 1000 - secondsAgo;
    await utimes(mark, time, time);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-packages-"));
    await write("node_modules/@pulumi/random", plugin("4.0.0"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is read again once npm has changed something, and only then", async () => {
    await npmHasRun(60);
    assert.deepEqual(await requiredPlugins(folder), [{ name: "random", version: "v4.0.0" }]);
    await write("node_modules/@pulumi/random", plugin("4.1.0"));
    assert.deepEqual(await requiredPlugins(folder), [{ name: "random", version: "v4.0.0" }]);
    await npmHasRun(0);
    assert.deepEqual(await requiredPlugins(folder), [{ name: "random", version: "v4.1.0" }]);
  });

  it("has a package of another name than it is asked for by", async () => {
    await write(".", { dependencies: { "typescript-7": "npm:typescript@7.0.2", missing: "1.0.0" } });
    await write("node_modules/typescript-7", { name: "typescript", version: "7.0.2" });
    assert.deepEqual(await directDependencies(folder), [{ name: "typescript", version: "7.0.2" }]);
  });
});
