import assert from "node:assert/strict";
import { mkdir, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxes } from "../../../../scaffold/sandbox/paths.ts";
import { linkTools, sandboxNamed } from "../../../../scaffold/sandbox/sandbox.ts";
import type { ToolPaths } from "../../../../scaffold/sandbox/tools/catalogue.ts";

const host = "pulumi-language-nodejs";

describe("the tools of a sandbox that a person calls by name", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-tools-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("have the language host that was downloaded with pulumi beside it, before the one on the PATH", async () => {
    await mkdir(sandboxes, { recursive: true });
    const cache = await mkdtemp(join(sandboxes, `test-${process.pid}-`));
    const path = join(folder, "path");
    await mkdir(path);
    for (const file of [join(cache, "pulumi"), join(cache, host), join(path, host)]) {
      await writeFile(file, "", { mode: 0o755 });
    }
    const bin = join(folder, "own");
    const tools = { kubectl: "/t/kubectl", kwokctl: "/t/kwokctl", pulumi: join(cache, "pulumi") } as ToolPaths;
    await linkTools({ ...sandboxNamed("try"), bin }, tools, { PATH: path });
    const beside = await readlink(join(bin, host));
    await rm(join(cache, host));
    await linkTools({ ...sandboxNamed("try"), bin }, tools, { PATH: path });
    const onPath = await readlink(join(bin, host));
    await rm(cache, { recursive: true });
    assert.deepEqual([beside, onPath], [join(cache, host), join(path, host)]);
  });
});
