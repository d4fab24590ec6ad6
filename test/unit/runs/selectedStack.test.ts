import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PulumiStack } from "../../../runs/pulumiStack.ts";
import { stackConfig } from "../../../runs/selectedStack.ts";

describe("the configuration of a stack whose file is no YAML", () => {
  it("names each bad line, where Pulumi's words name no file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    try {
      const script = "#!/bin/sh\necho 'error: invalid YAML file' >&2; exit 255\n";
      await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
      await writeFile(join(folder, "Pulumi.prod.yaml"), "config:\n  kubecamp:members: [{\n    member: bob\n  }]\n");
      const stack = new PulumiStack("prod", { workDir: folder, envVars: { PATH: folder }, stop: undefined });
      await assert.rejects(stackConfig(stack), {
        message: `The configuration of stack 'prod' has a mistake; nothing was changed.
  Pulumi.prod.yaml:4: is no YAML: Flow map in block collection must be sufficiently indented and end with a }
Correct Pulumi.prod.yaml, then run again.`,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
