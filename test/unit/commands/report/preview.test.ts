import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPreview } from "../../../../commands/report/preview.ts";

describe("a preview of a stack whose file is no YAML", () => {
  it("fails with each line, and Pulumi is not started", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    await writeFile(join(folder, "Pulumi.prod.yaml"), "config:\n  kubecamp:members: [bob\n");
    // There is no Pulumi.
    const env = { PATH: folder };
    const { signal } = new AbortController();
    assert.deepEqual(await runPreview("prod", false, { notify: assert.fail, signal, folder, env }), {
      stdout: "",
      failure: `The configuration of stack 'prod' has a mistake; nothing was changed.
  Pulumi.prod.yaml:3: is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]
Correct Pulumi.prod.yaml, then run again.`,
    });
    await rm(folder, { recursive: true });
  });
});
