import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { Problem } from "../../../../commands/common/problem.ts";
import { catalogue } from "../../../../scaffold/sandbox/tools/catalogue.ts";
import { checkDiskSpace, spaceNeeded } from "../../../../scaffold/sandbox/tools/diskSpace.ts";

const gibibyte = 2 ** 30;

describe("the space to build the tools", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-disk-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const check = (free: number): Promise<void> =>
    checkDiskSpace(
      catalogue,
      { env: {}, buildCache: join(folder, "build"), moduleCache: join(folder, "modules") },
      join(folder, "tools"),
      async () => free,
    );

  it("is much less once Go has compiled them", () => {
    assert.equal(
      spaceNeeded(catalogue, () => false),
      9 * gibibyte,
    );
    assert.equal(
      spaceNeeded(catalogue, () => true),
      2.25 * gibibyte,
    );
  });

  it("is asked for before anything is built", async () => {
    await assert.rejects(check(3 * gibibyte), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.match(error.why, /^3 GiB are free at .*, and the build may take 9 GiB\.$/);
      return true;
    });
  });
});
