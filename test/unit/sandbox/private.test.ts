import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { aloneWith, sandboxNamed } from "../../../sandbox/sandbox.ts";
import { useFolder } from "../testFolder.ts";

describe("the folder of all sandboxes", () => {
  const place = useFolder();

  it("closes a sandbox, which has an administrator's kubeconfig, to the machine's other users", async () => {
    const folder = join(place.path, ".kubecamp", "dev");
    await aloneWith(
      { ...sandboxNamed("dev"), folder },
      new AbortController().signal,
      () => undefined,
      async () => undefined,
    );
    assert.equal((await stat(join(place.path, ".kubecamp"))).mode & 0o777, 0o700);
  });
});
