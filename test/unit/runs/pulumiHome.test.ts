import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withoutLog } from "../../../runs/pulumiHome.ts";

describe("Pulumi's home without its log", () => {
  let folder = "";
  let env: NodeJS.ProcessEnv = {};

  async function put(file: string, content = ""): Promise<void> {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-test-"));
    env = { PULUMI_HOME: join(folder, "home"), PULUMI_BACKEND_URL: `file://${folder}` };
    await put("Pulumi.yaml", "name: kubecamp\nruntime: nodejs\n");
    await put(".pulumi/meta.yaml", "version: 1\n");
    await put(".pulumi/stacks/kubecamp/prod.json", "{}");
    await put("home/credentials.json", "{}");
    await put("home/logs/an-earlier.log");
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("makes Pulumi a home with a file in the log's place, and links to all else, new plugins too", async () => {
    const { PULUMI_HOME: home = "" } = withoutLog(folder, "prod", env);
    assert.deepEqual((await readdir(home)).sort(), ["credentials.json", "logs", "plugins", "workspaces"]);
    assert.ok((await lstat(join(home, "logs"))).isFile());
    assert.equal(await readlink(join(home, "credentials.json")), "../credentials.json");
    await writeFile(join(home, "plugins/new"), "installed");
    assert.equal(await readFile(join(folder, "home/plugins/new"), "utf8"), "installed");
    assert.ok(existsSync(join(folder, "home/logs/an-earlier.log")));
  });

  it("keeps no sign-in of its own in Pulumi's home without a log", async () => {
    const { PULUMI_HOME: home = "" } = withoutLog(folder, "prod", env);
    await rm(join(home, "credentials.json"));
    await put("home/kubecamp/credentials.json", "another backend");
    withoutLog(folder, "prod", env);
    assert.equal(await readFile(join(home, "credentials.json"), "utf8"), "{}");
    await rm(join(folder, "home/credentials.json"));
    await rm(join(home, "credentials.json"), { force: true });
    await writeFile(join(home, "credentials.json"), "another backend");
    withoutLog(folder, "prod", env);
    assert.ok(!existsSync(join(home, "credentials.json")));
    await writeFile(join(home, "credentials.json"), "signed in");
    assert.equal(await readFile(join(folder, "home/credentials.json"), "utf8"), "signed in");
  });

  it("uses Pulumi's real home where the log is asked for or off, or the state is in no folder", async () => {
    assert.deepEqual(withoutLog(folder, "prod", { ...env, KUBECAMP_PULUMI_LOG: "true" }), {});
    assert.deepEqual(withoutLog(folder, "prod", { ...env, PULUMI_BACKEND_URL: "https://api.pulumi.com" }), {});
    await rm(join(folder, "home/logs"), { recursive: true });
    await put("home/logs");
    assert.deepEqual(withoutLog(folder, "prod", env), {});
  });
});
