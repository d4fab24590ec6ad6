import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aloneWith, sandboxNamed } from "../../../../scaffold/sandbox/sandbox.ts";

describe("the folder of all sandboxes", () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), "kubecamp-private-"));
  });
  after(() => rm(place, { recursive: true }));

  it("closes a sandbox, which has an administrator's kubeconfig, to the machine's other users", async () => {
    const folder = join(place, ".kubecamp", "dev");
    await aloneWith(
      { ...sandboxNamed("dev"), folder },
      new AbortController().signal,
      () => undefined,
      async () => undefined,
    );
    assert.equal((await stat(join(place, ".kubecamp"))).mode & 0o777, 0o700);
  });
});
