import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

describe("the sandbox's paths", () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), "kubecamp-paths-"));
  });
  after(() => rm(place, { recursive: true }));

  it("are a clone's in a clone that lies in a folder called dist", async () => {
    const clone = join(place, "dist");
    const file = join(clone, "scaffold/sandbox/paths.ts");
    await mkdir(join(clone, "scaffold/sandbox"), { recursive: true });
    await cp(join(repository, "scaffold/sandbox/paths.ts"), file);
    const paths = await import(pathToFileURL(file).href);
    assert.deepEqual([paths.isPackage, paths.repository, paths.sandboxes], [false, clone, join(clone, ".sandbox")]);
  });
});
