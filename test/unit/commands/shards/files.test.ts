import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { Problem } from "../../../../commands/common/problem.ts";
import { writeFiles } from "../../../../commands/shards/files.ts";

describe("the files of shards", () => {
  let folder = "";
  const { log } = console;
  const put = (file: string, text: string) => writeFile(join(folder, file), text);
  const contentOf = async (file: string) => parse(await readFile(join(folder, file), "utf8"));
  const write = () => writeFiles({ stack: "prod", folder });
  const refused = (words: RegExp, writing = write()) =>
    assert.rejects(writing, (error) => error instanceof Problem && words.test(`${error.message} ${error.why}`));
  beforeEach(async () => {
    console.log = () => undefined;
    folder = await mkdtemp(join(tmpdir(), "kubecamp-shards-"));
    await put("Pulumi.yaml", "name: kubecamp\nruntime: nodejs\n");
    await put("Pulumi.prod.yaml", "config:\n  kubecamp:shards: 3\n");
  });
  afterEach(() => {
    console.log = log;
    return rm(folder, { recursive: true });
  });

  it("writes into shards' files whose these are, and keeps what Pulumi has put there", async () => {
    await put("Pulumi.prod-1.yaml", "encryptionsalt: v1:x\n");
    await put("Pulumi.prod-2.yaml", "# mine\nconfig:\n  kubecamp:shardOf: prod\n");
    await write();
    const ours = { config: { "kubecamp:shardOf": "prod" } };
    assert.deepEqual(await contentOf("Pulumi.prod-0.yaml"), ours);
    assert.deepEqual(await contentOf("Pulumi.prod-1.yaml"), { ...ours, encryptionsalt: "v1:x" });
    assert.match(await readFile(join(folder, "Pulumi.prod-2.yaml"), "utf8"), /^# mine\n/);
  });

  it("leaves shards' files the secrets of buckets' servers, which Pulumi encrypts for each", async () => {
    const secrets = "config:\n  kubecamp:storage: { secretAccessKey: { secure: v1:x } }\n";
    await put("Pulumi.prod-1.yaml", secrets);
    await put("Pulumi.prod-2.yaml", `${secrets}  kubecamp:shardOf: prod\n`);
    await write();
    const secretAccessKey = { secure: "v1:x" };
    const config = { "kubecamp:storage": { secretAccessKey }, "kubecamp:shardOf": "prod" };
    assert.deepEqual(await contentOf("Pulumi.prod-1.yaml"), { config });
    assert.deepEqual(await contentOf("Pulumi.prod-2.yaml"), { config });
  });

  it("keeps what Pulumi has put into shards' files, whenever the write ends", async () => {
    await put("Pulumi.prod-1.yaml", "encryptionsalt: v1:x\n");
    await link(join(folder, "Pulumi.prod-1.yaml"), join(folder, "as it was"));
    await write();
    // The old file stays whole until another one takes its place.
    assert.equal(await readFile(join(folder, "as it was"), "utf8"), "encryptionsalt: v1:x\n");
    assert.equal((await contentOf("Pulumi.prod-1.yaml")).encryptionsalt, "v1:x");
    assert.ok((await readdir(folder)).every((file) => !file.endsWith(".tmp")));
  });

  it("names shards' files that can't be written", async () => {
    const stacks = join(folder, "stacks");
    await mkdir(stacks);
    await put("Pulumi.yaml", "name: kubecamp\nruntime: nodejs\nstackConfigDir: stacks\n");
    await put("stacks/Pulumi.prod.yaml", "config:\n  kubecamp:shards: 3\n");
    await put(`stacks/Pulumi.prod-1.yaml.${process.pid}.tmp`, "another's");
    await refused(/Can't write stacks\/Pulumi\.prod-1\.yaml\. .*EEXIST/);
  });

  it("writes no shards' files for a stack or a project that is not there", async () => {
    await refused(
      /There is no stack 'prd' in this folder; did you mean 'prod'\?/,
      writeFiles({ stack: "prd", folder }),
    );
    await refused(/no Pulumi project/, writeFiles({ stack: "prod", folder: join(folder, "elsewhere") }));
    await put("Pulumi.yaml", "name: kubecamp\nruntime: nodejs\nstackConfigDir: nowhere\n");
    await refused(/The folder of the stacks' files can't be read\. .*nowhere/);
  });

  it("writes no shards' files while one has mistakes, nor over those of another stack", async () => {
    for (const [file, content, words] of [
      ["Pulumi.prod.yaml", "config: [\n", /Pulumi\.prod\.yaml has mistakes\. .*no YAML/],
      ["Pulumi.prod-2.yaml", "config: [\n", /Pulumi\.prod-2\.yaml has mistakes/],
      ["Pulumi.prod-2.yaml", "config:\n  kubecamp:members: []\n", /prod-2\.yaml is the file of another/],
    ] as const) {
      const before = await readFile(join(folder, file), "utf8").catch(() => "");
      await put(file, content);
      await refused(words);
      await put(file, before);
    }
    assert.deepEqual((await readdir(folder)).sort(), ["Pulumi.prod-2.yaml", "Pulumi.prod.yaml", "Pulumi.yaml"]);
  });

  it("writes no shards' files for a list that is not split", async () => {
    for (const config of ["kubecamp:shards: 0", "kubecamp:shards: many", "kubecamp:contact: me"]) {
      await put("Pulumi.prod.yaml", `config:\n  ${config}\n`);
      await refused(/are not split over shards/);
    }
  });
});
