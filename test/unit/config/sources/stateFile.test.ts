import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { stateFile, stateIn } from "../../../../config/sources/stateFile.ts";

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

  it("is the one that was written last, compressed or not", async () => {
    const plain = await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    const compressed = await put("backend/.pulumi/stacks/kubecamp/prod.json.gz", "");
    await utimes(plain, 1, 1);
    assert.equal(found({ PULUMI_BACKEND_URL: backend }), compressed);
    await utimes(compressed, 0, 0);
    assert.equal(found({ PULUMI_BACKEND_URL: backend }), plain);
  });

  it("is the stack's, whether it is named in full or not", async () => {
    const file = await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "organization/kubecamp/prod"), file);
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "organization/other/prod"), undefined);
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "school/kubecamp/prod"), undefined);
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "../kubecamp/prod"), undefined);
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "dev"), undefined);
  });

  it("is not looked for in another backend, or in one whose folder is not certain", async () => {
    await put("backend/.pulumi/stacks/kubecamp/prod.json", "{}");
    for (const url of [
      "https://api.pulumi.com",
      "s3://bucket",
      "file://./backend",
      `${backend}?prefix=a`,
      `${backend}%20`,
    ]) {
      assert.equal(found({ PULUMI_BACKEND_URL: url }), undefined, url);
    }
    // One of before there were folders of projects.
    await rm(join(folder, "backend/.pulumi/meta.yaml"));
    assert.equal(found({ PULUMI_BACKEND_URL: backend }), undefined);
  });

  it("gives what an export would, compressed or not", async () => {
    const latest = { resources: [{ urn: "urn:pulumi:prod::kubecamp::a:b:C::d" }] };
    const text = JSON.stringify({ version: 3, checkpoint: { stack: "prod", latest } });
    const state = { version: 3, deployment: latest };
    assert.deepEqual(stateIn(await put("a.json", text)), state);
    assert.deepEqual(stateIn(await put("a.json.gz", gzipSync(text))), state);
    const none = JSON.stringify({ version: 3, checkpoint: { stack: "prod" } });
    assert.deepEqual(stateIn(await put("a.json", none)), { version: 3, deployment: {} });
  });

  it("gives nothing of what it can't be certain of", async () => {
    assert.equal(stateIn(await put("a.json", '{"version":4,"checkpoint":{}}')), undefined);
    assert.equal(stateIn(await put("a.json", '{"version":3,"checkp')), undefined);
    assert.equal(stateIn(join(folder, "none.json")), undefined);
  });
});
