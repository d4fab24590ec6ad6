import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useStack } from "../stack.ts";

describe("a state that is compressed", () => {
  const stack = useStack("compressed");

  const file = () => join(stack.folder, "state.json");
  const pulumiStack = async (command: "export" | "import", env: Record<string, string> = {}) => {
    const args = ["stack", command, "--stack", stack.name, "--file", file()];
    const { exitCode, stderr } = await stack.sandbox.pulumi(args, { cwd: stack.folder, env });
    assert.equal(exitCode, 0, stderr);
  };
  /** Its files, apart from backups. */
  const folder = () => stack.backend.stacks;
  const files = async () => {
    return (await readdir(folder())).filter(
      (name) => /^compressed\.json(\.[a-z]+)?$/.test(name) && !name.endsWith(".bak"),
    );
  };
  const size = async (name: string) => (await stat(join(folder(), name))).size;

  it("is switched on and off with an existing stack, and read whatever the environment says", async () => {
    await stack.configure([{ member: "zoe", type: "guest-user" }]);
    await stack.upFine();
    const resources = await stack.resources();
    assert.deepEqual(await files(), ["compressed.json"]);
    const plain = await size("compressed.json");

    // Its resources are written anew, as they are.
    await writeFile(file(), JSON.stringify(await stack.backend.export(stack.name)));
    await pulumiStack("import", { PULUMI_DIY_BACKEND_GZIP: "true" });
    assert.deepEqual(await files(), ["compressed.json.gz"]);
    assert.ok((await size("compressed.json.gz")) < plain / 2);

    const zstd = { PULUMI_DIY_BACKEND_ZSTD: "true" };
    await pulumiStack("export", zstd);
    assert.deepEqual(JSON.parse(await readFile(file(), "utf8")).deployment.resources, resources);
    await pulumiStack("import", zstd);
    assert.deepEqual(await files(), ["compressed.json.zst"]);
    assert.ok((await size("compressed.json.zst")) < plain / 2);
    const clean = await stack.preview("--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);

    await pulumiStack("import");
    assert.deepEqual(await files(), ["compressed.json"]);
    assert.deepEqual(await stack.resources(), resources);
  });

  it("is compressed in one way alone", async () => {
    const env = { PULUMI_DIY_BACKEND_GZIP: "true", PULUMI_DIY_BACKEND_ZSTD: "true" };
    const { exitCode, output } = await stack.run(["preview"], env);
    assert.notEqual(exitCode, 0);
    assert.match(output, /GZIP and (PULUMI_)?DIY_BACKEND_ZSTD cannot both be enabled/);
  });
});
