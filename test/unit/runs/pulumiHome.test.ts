import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
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

  it("has a file in place of the log's folder, and links to all else, also to plugins that are yet to come", async () => {
    const { PULUMI_HOME: home = "" } = withoutLog(folder, "prod", env);
    assert.deepEqual((await readdir(home)).sort(), ["credentials.json", "logs", "plugins", "workspaces"]);
    assert.ok((await lstat(join(home, "logs"))).isFile());
    assert.equal(await readlink(join(home, "credentials.json")), "../credentials.json");
    await writeFile(join(home, "plugins/new"), "installed");
    assert.equal(await readFile(join(folder, "home/plugins/new"), "utf8"), "installed");
    assert.ok(existsSync(join(folder, "home/logs/an-earlier.log")));
  });

  it("is one for all runs, and stays", async () => {
    const { PULUMI_HOME: home = "" } = withoutLog(folder, "prod", env);
    assert.equal(home, join(folder, "home/kubecamp"));
    await put("home/later.json", "later");
    assert.deepEqual(withoutLog(folder, "prod", env), { PULUMI_HOME: home });
    assert.equal(await readFile(join(home, "later.json"), "utf8"), "later");
  });

  it("leads nowhere else when it is copied, and leaves what only another run has there", async () => {
    withoutLog(folder, "prod", env);
    await put("home/kubecamp/templates/new", "of a run");
    await cp(join(folder, "home"), join(folder, "copy"), { recursive: true, verbatimSymlinks: true });
    await rm(join(folder, "copy/kubecamp/credentials.json"));
    await symlink(join(folder, "home/credentials.json"), join(folder, "copy/kubecamp/credentials.json"));
    await put("copy/credentials.json", "of the copy");
    const { PULUMI_HOME: home = "" } = withoutLog(folder, "prod", { ...env, PULUMI_HOME: join(folder, "copy") });
    assert.equal(await readFile(join(home, "credentials.json"), "utf8"), "of the copy");
    assert.equal(await readFile(join(home, "templates/new"), "utf8"), "of a run");
  });

  it("never keeps a sign-in of its own", async () => {
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

  it("is the real one where the log is asked for or off already, or where the state is in no folder", async () => {
    assert.deepEqual(withoutLog(folder, "prod", { ...env, KUBECAMP_PULUMI_LOG: "true" }), {});
    assert.deepEqual(withoutLog(folder, "prod", { ...env, PULUMI_BACKEND_URL: "https://api.pulumi.com" }), {});
    await rm(join(folder, "home/logs"), { recursive: true });
    await put("home/logs");
    assert.deepEqual(withoutLog(folder, "prod", env), {});
  });

  it("is the real one where it can't be linked to", async () => {
    await put("elsewhere");
    assert.deepEqual(withoutLog(folder, "prod", { ...env, PULUMI_HOME: join(folder, "elsewhere") }), {});
  });
});
