import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pulumi, pulumiRead } from "../../../runs/pulumiCommand.ts";
import { restore } from "../cluster/fakeApiServer.ts";
import { HeldTime } from "../heldTime.ts";

describe("a Pulumi command whose backend does not answer", () => {
  const { PATH } = process.env;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    process.env.PATH = `${folder}:${PATH}`;
  });
  after(async () => {
    restore("PATH", PATH);
    await rm(folder, { recursive: true });
  });
  const pulumiDoes = (script: string) => writeFile(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const stack = (stop?: AbortSignal) => ({ name: "prod", workspace: { workDir: folder, envVars: {}, stop } });

  it("ends a reading Pulumi command without an answer after two minutes, and says what to check", async () => {
    await pulumiDoes("exec sleep 600");
    const held = new HeldTime();
    try {
      const read = pulumiRead(stack(), ["config", "--json"]);
      const refused = assert.rejects(read, {
        message:
          "'pulumi config --json --stack prod' was ended after 2 minutes.\n" +
          "The backend may not answer: 'pulumi whoami --verbose' then does not end either. Repair it, or the way to it.",
      });
      await held.pass(119_000);
      let isOver = false;
      read
        .catch(() => undefined)
        .finally(() => {
          isOver = true;
        });
      await held.rest();
      assert.equal(isOver, false);
      await held.pass(1_000);
      await refused;
    } finally {
      held.release();
    }
  });

  it("ends a reading Pulumi command without an answer at the stop", async () => {
    await pulumiDoes("exec sleep 600");
    const stop = new AbortController();
    const read = pulumiRead(stack(stop.signal), ["config", "--json"]);
    stop.abort();
    await assert.rejects(read, { name: "AbortError" });
  });

  it("lets a writing Pulumi command run to its end: half a change would be worse", async () => {
    await pulumiDoes("cat; echo done");
    assert.equal(await pulumi(stack(AbortSignal.abort()), ["cancel"]), "done\n");
  });
});
