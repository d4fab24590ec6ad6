import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, it } from "mocha";

/** Prints whether Pulumi's SDK is loaded: with the two commands, and then with a run's program. */
const script = `
  import module from "node:module";
  const isLoaded = () => Object.keys(module._cache).some((file) => file.includes("/@pulumi/pulumi/"));
  await Promise.all([import("./commands/up/up.ts"), import("./commands/preview/preview.ts")]);
  const before = isLoaded();
  await import("./components/program.ts");
  console.log(JSON.stringify([before, isLoaded()]));`;

describe("the modules of up and preview", () => {
  it("load Pulumi's SDK for a run alone, since that takes half a second", async () => {
    const cwd = join(import.meta.dirname, "../../../..");
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { cwd });
    assert.deepEqual(JSON.parse(stdout), [false, true]);
  });
});
