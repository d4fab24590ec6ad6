import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, relative } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { stateFile, stateIn } from "../../../../../config/sources/engine/stateFile.ts";

describe("the file of a stack's state", () => {
  let folder = "";
  let backend = "";

  async function put(file: string, content: string | Buffer): Promise<string> {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-test-"));
    backend = `file://${folder}/backend`;
    await put("Pulumi.yaml", "name: kubecamp\nruntime: nodejs\n");
    await put("backend/.pulumi/meta.yaml", "version: 1\n");
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const found = (env: NodeJS.ProcessEnv, stack = "prod") => stateFile(folder, stack, { PULUMI_HOME: folder, ...env });

  it("is found where the environment, the project or the last login names the folder, in this order", async () => {
    const state = await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    const other = await put("other/.pulumi/stacks/kubecamp/prod.json", "{}");
    await put("other/.pulumi/meta.yaml", "version: 1\n");
    assert.equal(found({}), undefined);
    await put("credentials.json", JSON.stringify({ current: `file://${folder}/other` }));
    assert.equal(found({}), other);
    await put("Pulumi.yaml", `name: kubecamp\nbackend:\n  url: ${backend}?metadata=skip\n`);
    assert.equal(found({}), state);
    assert.equal(found({ PULUMI_BACKEND_URL: `file://${folder}/other` }), other);
  });

  it("is the one that was written last, however it is compressed, as Pulumi has it of two of one moment", async () => {
    const env = { PULUMI_BACKEND_URL: backend };
    const plain = await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    const gzip = await put("backend/.pulumi/stacks/kubecamp/prod.json.gz", "");
    const zstd = await put("backend/.pulumi/stacks/kubecamp/prod.json.zst", "");
    const written = (...seconds: number[]) =>
      Promise.all([plain, gzip, zstd].map((file, at) => utimes(file, 1, seconds[at] ?? 0)));
    for (const [times, last] of [
      [[3, 1, 2], plain],
      [[1, 3, 2], gzip],
      [[1, 2, 3], zstd],
      [[3, 3, 1], gzip],
      [[3, 3, 3], zstd],
    ] as const) {
      await written(...times);
      assert.equal(found(env), last, String(times));
    }
  });

  it("is the stack's, whether it is named in full or not", async () => {
    const file = await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "organization/kubecamp/prod"), file);
    for (const [stack, path] of [
      ["organization/other/prod", "other/prod"],
      ["organization/prod", "organization/prod"],
      ["school/kubecamp/prod", "kubecamp/prod"],
      ["../kubecamp/prod", "kubecamp/prod"],
      ["a b", "kubecamp/a b"],
    ] as const) {
      await put(`backend/.pulumi/stacks/${path}.json`, "{}");
      assert.equal(found({ PULUMI_BACKEND_URL: backend }, stack), undefined, stack);
    }
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "dev"), undefined);
  });

  it("is not looked for in another backend, or in one whose folder is not certain", async () => {
    for (const at of ["backend", "backend/with a blank", "backend%20"]) {
      await put(`${at}/.pulumi/stacks/kubecamp/prod.json`, "{}");
      await put(`${at}/.pulumi/meta.yaml`, "version: 1\n");
    }
    for (const url of [
      "https://api.pulumi.com",
      "s3://bucket",
      "file://./backend",
      `${backend}?prefix=a`,
      `${backend}%20`,
      `${backend}/with a blank`,
      `file://~other${folder}/backend`,
    ]) {
      assert.equal(found({ PULUMI_BACKEND_URL: url }), undefined, url);
    }
    assert.equal(found({ PULUMI_BACKEND_URL: backend, PULUMI_OPTION_CWD: "elsewhere" }), undefined);
  });

  it("is not looked for where it is not certain which login holds", async () => {
    await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    await put("credentials.json", "encrypted");
    assert.equal(found({}), undefined);
    await put("credentials.json", JSON.stringify({ current: backend }));
    assert.notEqual(found({}), undefined);
    assert.equal(found({ PULUMI_CREDENTIALS_PATH: relative(process.cwd(), folder) }), undefined);
    assert.equal(found({ PULUMI_CREDENTIALS_PATH: join(folder, "none") }), undefined);
    assert.equal(found({ PULUMI_HOME: relative(process.cwd(), folder) }), undefined);
  });

  it("is in the home that the system knows, whatever HOME says, as Pulumi takes it to be", async () => {
    const file = await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    const url = `file://~/${relative(userInfo().homedir, join(folder, "backend"))}`;
    const { HOME } = process.env;
    process.env.HOME = join(folder, "elsewhere");
    try {
      assert.equal(found({ PULUMI_BACKEND_URL: url }), file);
    } finally {
      Object.assign(process.env, { HOME });
    }
  });

  it("gives what an export would, however it is compressed and called", async () => {
    // Pending operations of a killed run, and encrypted values, stay unchanged.
    const latest = {
      resources: [{ urn: "urn:pulumi:prod::kubecamp::a:b:C::d", outputs: { key: { ciphertext: "v1:abc" } } }],
      pending_operations: [{ type: "creating", resource: { urn: "urn:pulumi:prod::kubecamp::a:b:C::e" } }],
    };
    const text = JSON.stringify({ version: 3, checkpoint: { stack: "organization/kubecamp/prod", latest } });
    const state = { version: 3, deployment: latest };
    for (const [name, content] of [
      ["a.json", text],
      ["a.json.gz", gzipSync(text)],
      ["a.json.zst", zstdCompressSync(text)],
      ["b.json.gz", text],
      ["b.json", gzipSync(text)],
    ] as const) {
      assert.deepEqual(stateIn(await put(name, content)), state, name);
    }
  });

  it("gives an empty one of a stack that was never brought up", async () => {
    const none = JSON.stringify({ version: 3, checkpoint: { stack: "prod" } });
    assert.deepEqual(stateIn(await put("a.json", none)), { version: 3, deployment: {} });
  });

  for (const [why, text] of [
    ["is of a version to come", '{"version":5,"features":[],"checkpoint":{"latest":{}}}'],
    ["is cut off", '{"version":3,"checkp'],
  ] as const) {
    it(`gives nothing where it ${why}, so that Pulumi is asked`, async () => {
      assert.equal(stateIn(await put("a.json", text)), undefined);
    });
  }
});
