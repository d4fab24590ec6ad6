import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPreview } from "../../../../commands/report/preview.ts";

describe("a preview of a stack whose file is no YAML", () => {
  let folder: string;
  /** Runs a preview with this script as `pulumi`. */
  const preview = async (script: string) => {
    await writeFile(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { signal } = new AbortController();
    return await runPreview("prod", false, { notify: () => undefined, signal, folder, env: { PATH: folder } });
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    await writeFile(join(folder, "Pulumi.prod.yaml"), "config:\n  kubecamp:members: [{\n    member: bob\n  }]\n");
  });
  after(() => rm(folder, { recursive: true }));

  it("names each bad line of a stack's file, where Pulumi's words name no file", async () => {
    assert.deepEqual(await preview("echo 'error: invalid YAML file' >&2; exit 255"), {
      stdout: "",
      failure: `The configuration of stack 'prod' has a mistake; nothing was changed.
  Pulumi.prod.yaml:4: is no YAML: Flow map in block collection must be sufficiently indented and end with a }
Correct Pulumi.prod.yaml, then run again.`,
    });
  });

  it("previews a stack whose file is no YAML, yet good enough for Pulumi, as with these brackets", async () => {
    assert.deepEqual(await preview("echo '{}'"), { stdout: "{}\n", failure: undefined });
  });
});
