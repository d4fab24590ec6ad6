import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { userInfo } from "node:os";
import { join, relative } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { stateFile, stateIn } from "../../../../config/sources/stateFile.ts";
import { project, useFolder } from "../../testFolder.ts";

describe("the file of a stack's state", () => {
  const folder = useFolder({ ...project, "backend/.pulumi/meta.yaml": "version: 1\n" });
  let backend = "";
  beforeEach(() => {
    backend = `file://${folder.path}/backend`;
  });
  const put = (file: string, content: string | Buffer): string => {
    folder.write({ [file]: content });
    return join(folder.path, file);
  };

  const prods = "backend/.pulumi/stacks/kubecamp/prod.json";
  const found = (env: NodeJS.ProcessEnv, stack = "prod") =>
    stateFile(folder.path, stack, { PULUMI_HOME: folder.path, ...env });

  it("finds the state file where environment, project or last login say, in this order", () => {
    const state = put(prods, "{}");
    const other = put("other/.pulumi/stacks/kubecamp/prod.json", "{}");
    put("other/.pulumi/meta.yaml", "version: 1\n");
    assert.equal(found({}), undefined);
    put("credentials.json", JSON.stringify({ current: `file://${folder.path}/other` }));
    assert.equal(found({}), other);
    put("Pulumi.yaml", `name: kubecamp\nbackend:\n  url: ${backend}?metadata=skip\n`);
    assert.equal(found({}), state);
    assert.equal(found({ PULUMI_BACKEND_URL: `file://${folder.path}/other` }), other);
  });

  it("takes the state file that was written last, however that is compressed", () => {
    const env = { PULUMI_BACKEND_URL: backend };
    const [plain, gzip, zstd] = [put(prods, "{}"), put(`${prods}.gz`, ""), put(`${prods}.zst`, "")] as const;
    for (const [times, last] of [
      [[3, 1, 2], plain],
      [[1, 3, 2], gzip],
      [[1, 2, 3], zstd],
      [[3, 3, 1], gzip],
      [[3, 3, 3], zstd],
    ] as const) {
      for (const [at, file] of [plain, gzip, zstd].entries()) {
        utimesSync(file, 1, times[at] ?? 0);
      }
      assert.equal(found(env), last, String(times));
    }
  });

  it("finds the stack's state file, whether the stack is named in full or not", () => {
    const file = put(prods, "{}");
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "organization/kubecamp/prod"), file);
    for (const [stack, path] of [
      ["organization/other/prod", "other/prod"],
      ["organization/prod", "organization/prod"],
      ["school/kubecamp/prod", "kubecamp/prod"],
      ["../kubecamp/prod", "kubecamp/prod"],
      ["a b", "kubecamp/a b"],
    ] as const) {
      put(`backend/.pulumi/stacks/${path}.json`, "{}");
      assert.equal(found({ PULUMI_BACKEND_URL: backend }, stack), undefined, stack);
    }
    assert.equal(found({ PULUMI_BACKEND_URL: backend }, "dev"), undefined);
  });

  it("looks for no state file in another backend, or in one whose folder is not certain", () => {
    for (const at of ["backend", "backend/with a blank", "backend%20"]) {
      put(`${at}/.pulumi/stacks/kubecamp/prod.json`, "{}");
      put(`${at}/.pulumi/meta.yaml`, "version: 1\n");
    }
    for (const url of [
      ...["https://api.pulumi.com", "s3://bucket", "file://./backend", `file://~other${folder.path}/backend`],
      ...[`${backend}?prefix=a`, `${backend}%20`, `${backend}/with a blank`],
    ]) {
      assert.equal(found({ PULUMI_BACKEND_URL: url }), undefined, url);
    }
    assert.equal(found({ PULUMI_BACKEND_URL: backend, PULUMI_OPTION_CWD: "elsewhere" }), undefined);
  });

  it("looks for no state file where it is not certain which login holds", () => {
    put(prods, "{}");
    put("credentials.json", "encrypted");
    assert.equal(found({}), undefined);
    put("credentials.json", JSON.stringify({ current: backend }));
    assert.notEqual(found({}), undefined);
    const here = relative(process.cwd(), folder.path);
    for (const PULUMI_CREDENTIALS_PATH of [here, join(folder.path, "none")]) {
      assert.equal(found({ PULUMI_CREDENTIALS_PATH }), undefined);
    }
    assert.equal(found({ PULUMI_HOME: here }), undefined);
  });

  it("looks for the state file in the home that the system knows, whatever HOME says", () => {
    const file = put(prods, "{}");
    const url = `file://~/${relative(userInfo().homedir, join(folder.path, "backend"))}`;
    const { HOME } = process.env;
    process.env.HOME = join(folder.path, "elsewhere");
    try {
      assert.equal(found({ PULUMI_BACKEND_URL: url }), file);
    } finally {
      Object.assign(process.env, { HOME });
    }
  });

  it("reads a state file as an export would be, however that is compressed and called", () => {
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
      assert.deepEqual(stateIn(put(name, content)), state, name);
    }
  });

  it("reads an empty state of a stack that was never brought up", () => {
    const none = JSON.stringify({ version: 3, checkpoint: { stack: "prod" } });
    assert.deepEqual(stateIn(put("a.json", none)), { version: 3, deployment: {} });
  });

  for (const [why, text] of [
    ["is of a version to come", '{"version":5,"features":[],"checkpoint":{"latest":{}}}'],
    ["is cut off", '{"version":3,"checkp'],
  ] as const) {
    it(`reads nothing from a state file that ${why}, so that Pulumi is asked`, () => {
      assert.equal(stateIn(put("a.json", text)), undefined);
    });
  }
});
