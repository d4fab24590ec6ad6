import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeEach, describe, it } from "mocha";
import { type PluginSearch, useOfficialKubernetes } from "../../../sandbox/plugins/official.ts";
import { choosePlugins, installStandIns } from "../../../sandbox/plugins/standIns.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { useFolder } from "../testFolder.ts";

const { version } = createRequire(import.meta.url)("@pulumi/kubernetes/package.json") as { version: string };
const plugin = `plugins/resource-kubernetes-v${version}/pulumi-resource-kubernetes`;

describe("the plugins of a sandbox", () => {
  const folder = useFolder();
  let root: string;
  let sandbox: Sandbox;
  let search: PluginSearch;

  beforeEach(async () => {
    root = folder.path;
    const own = join(root, "sandbox");
    sandbox = {
      name: "trial",
      folder: own,
      kubeconfig: join(own, "kubeconfig"),
      bin: join(own, "bin"),
      pulumiHome: join(own, "home"),
      pulumiState: join(own, "state"),
    };
    search = {
      environment: { PATH: join(root, "path"), HOME: join(root, "home"), PULUMI_HOME: join(root, "person") },
      signal: new AbortController().signal,
      pulumi: join(root, "tools", "pulumi"),
      downloads: join(root, "downloads"),
    };
    await executable(search.pulumi, `echo tried >>${root}/tries; exit 1`);
  });

  async function executable(file: string, script = "exit 0"): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }
  const tries = async (): Promise<number> =>
    (await readFile(join(root, "tries"), "utf8").catch(() => "")).split("\n").length - 1;
  const inSandbox = (): Promise<string> => readFile(join(sandbox.pulumiHome, plugin), "utf8");

  it("takes our plugins where the official ones can't be had, without a second try that day", async () => {
    for (const _ of [1, 2]) {
      const choice = await choosePlugins(sandbox, search);
      assert.deepEqual(choice, { kubernetes: "stand-in", languageHost: "stand-in" });
      await installStandIns(sandbox, choice);
    }
    assert.equal(await tries(), 1);
    assert.match(await inSandbox(), /sandbox\/standins\/kubernetes\/main\.ts' "\$@"/);
    assert.match(
      await readFile(join(sandbox.bin, "pulumi-language-nodejs"), "utf8"),
      /standins\/languageHost\.ts' "\$@"/,
    );
  });

  it("are the official ones on the person's PATH, with nothing of ours in their way", async () => {
    await executable(join(root, "path", "pulumi-resource-kubernetes"));
    await executable(join(root, "path", "pulumi-language-nodejs"));
    const choice = await choosePlugins(sandbox, search);
    await installStandIns(sandbox, choice);
    assert.deepEqual(choice, { kubernetes: "official", languageHost: "official" });
    assert.equal(existsSync(sandbox.bin), false);
    assert.equal(existsSync(sandbox.pulumiHome), false);
  });

  it("are not taken from the PATH of another sandbox", async () => {
    const other = join(root, ".sandbox", "other");
    await executable(join(other, "bin", "pulumi-language-nodejs"));
    await executable(join(other, "home", plugin));
    const environment = { ...search.environment, PATH: join(other, "bin"), PULUMI_HOME: join(other, "home") };
    assert.deepEqual(await choosePlugins(sandbox, { ...search, environment }), {
      kubernetes: "stand-in",
      languageHost: "stand-in",
    });
    // It is the person's all the same, where Pulumi keeps it without being told.
    await executable(join(root, "home", ".pulumi", plugin));
    assert.equal((await choosePlugins(sandbox, { ...search, environment })).kubernetes, "official");
  });

  it("take the Kubernetes plugin from the person's Pulumi home", async () => {
    await executable(join(root, "person", plugin), "echo official");
    assert.equal((await choosePlugins(sandbox, search)).kubernetes, "official");
    assert.match(await inSandbox(), /echo official/);
    assert.equal(await tries(), 0);
  });

  it("come from the mirror that tools come from, unless somebody in between could change them", async () => {
    await executable(search.pulumi, `echo "$@" >>${root}/tries; exit 1`);
    const from = (mirror: string) =>
      useOfficialKubernetes(sandbox, {
        ...search,
        environment: { ...search.environment, KUBECAMP_DOWNLOADS: mirror },
        persistent: true,
      });
    await from("https://mirror.example.org/");
    const server = "--server https://mirror.example.org/get.pulumi.com/releases/plugins";
    assert.ok(
      (await readFile(join(root, "tries"), "utf8")).endsWith(
        `kubernetes ${version} --non-interactive --color never ${server}\n`,
      ),
    );
    assert.equal(await from("http://mirror.example.org"), "http://mirror.example.org is not encrypted");
    assert.equal(await tries(), 1);
  });

  it("take the one that could be downloaded, in place of ours", async () => {
    await installStandIns(sandbox, { kubernetes: "stand-in", languageHost: "stand-in" });
    const file = `"$PULUMI_HOME/${plugin}"`;
    await executable(search.pulumi, `mkdir -p "$(dirname ${file})" && echo downloaded >${file}`);
    assert.equal((await choosePlugins(sandbox, search)).kubernetes, "official");
    assert.equal(await inSandbox(), "downloaded\n");
  });
});
