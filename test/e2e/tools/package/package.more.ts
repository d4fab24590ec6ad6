import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";
import { processesStartedFrom } from "../../../../sandbox/processes.ts";
import { removeSandbox } from "../../../../sandbox/sandbox.ts";
import { useStack } from "../../program/stack.ts";
import { hasNamespace, makeNamespace } from "../../program/workloads.ts";
import { testKubernetes } from "../../support/cluster.ts";
import { testSandboxNamed } from "../../support/testSandboxes.ts";
import { install, offerPackages, packed } from "./packed.ts";
import { servePublishers } from "./publishers.ts";

/** The program of one's own in docs/start/project.md. */
const [, example = ""] =
  /```ts\n([^`]*)```/.exec(readFileSync(join(repository, "docs/start/project.md"), "utf8")) ?? [];

describe("the package", () => {
  // For the namespace of the ingress controller, and for cleaning up.
  const stack = useStack("package");
  const version = "0.7.1";
  /** The home folder of whoever runs the package's sandbox: the tests' own end what it leaves, as their sandboxes'. */
  const home = testSandboxNamed("home");
  let folder = "";
  let tarball = "";
  let publishers: Awaited<ReturnType<typeof servePublishers>> | undefined;
  const project = () => join(folder, "camp");

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-package-"));
    const published = await mkdtemp(join(folder, "published-"));
    const all = [packed(folder, version), servePublishers(published, stack.sandbox), offerPackages(folder)] as const;
    // Where one fails, the others must have ended too.
    const [, serving] = await Promise.allSettled(all);
    if (serving.status === "fulfilled") {
      publishers = serving.value;
    }
    [tarball] = await Promise.all(all);
    await install(folder, tarball);
    await mkdir(home.folder, { recursive: true });
  });
  after(async () => {
    publishers?.end();
    await removeSandbox(home);
    await rm(folder, { recursive: true, force: true });
  });

  const env = () => ({
    ...stack.sandbox.env,
    PATH: [join(project(), "node_modules/.bin"), stack.sandbox.env.PATH].join(delimiter),
  });
  const pulumi = (...args: string[]) => stack.sandbox.pulumi([...args, "--stack", "prod"], { cwd: project() });
  const fine = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await pulumi(...args);
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    return stdout;
  };
  const command = (name: string, args: readonly string[], cwd = project()) =>
    execa(name, args, { cwd, env: env(), reject: false });

  /** Runs a script as somebody with a shell that has nothing of this machine's sandboxes. */
  const inShell = (script: string, mirror = "off", cwd = folder) =>
    execa("sh", ["-c", script], {
      cwd,
      env: {
        HOME: home.folder,
        KUBECAMP_DOWNLOADS: mirror,
        PATH: [join(cwd, "node_modules/.bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
      },
      extendEnv: false,
      reject: false,
    });

  it("has the product as JavaScript with types and maps, and no stand-ins, benchmark or tests", async () => {
    const { stdout } = await execa("tar", ["-tzf", tarball]);
    const names = stdout.split("\n").map((name) => name.replace("package/", ""));
    assert.deepEqual([...new Set(names.map((name) => name.split("/")[0]))].sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin",
      "deploy",
      "dist",
      "index.ts",
      "package.json",
      "schema",
    ]);
    for (const end of [".js", ".d.ts", ".js.map"]) {
      assert.ok(names.includes(`dist/components/program${end}`));
    }
    assert.ok(names.includes("dist/github/workflows/up.yml"));
    assert.deepEqual(
      names.filter(
        (name) =>
          /^dist\/(test|bench|tools\/(?!packaged)|.*standIns|.*standins)|(?<!\.d)\.ts$/.test(name) &&
          !name.startsWith("dist/github/"),
      ),
      ["index.ts"],
    );
  });

  it("names its commands as its users type them", async () => {
    const help = await inShell(
      "kubecamp --help; kubecamp sandbox --help; grep -rl 'npm run' node_modules/kubecamp/dist",
      "off",
    );
    assert.match(help.stdout, /^ {2}\$ kubecamp sandbox up$/m);
    assert.doesNotMatch(help.stdout, /npm run|\.js$/m, help.stderr);
  });

  it("says in an empty folder which tools it can't download, and what to do instead", async () => {
    const { exitCode, stderr } = await inShell("kubecamp sandbox up", publishers?.mirror);
    assert.equal(exitCode, 1, stderr);
    // Nobody's but the publisher's own file has the pinned checksum.
    assert.match(stderr, /could not all be downloaded\.\n +why: .*versitygw: .* has the checksum \w{64}, not \w{64}/s);
    assert.match(stderr, /clone kubecamp's repository/);
  });

  it("brings a cluster up with downloaded tools", async () => {
    const pins = `export const checksums = ${JSON.stringify(publishers?.checksums)};\n`;
    await writeFile(join(folder, "node_modules/kubecamp/dist/sandbox/tools/checksums.js"), pins);
    const up = `kubecamp sandbox up --kubernetes ${testKubernetes}`;
    const { exitCode, stdout, stderr } = await inShell(up, publishers?.mirror);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /Cluster: created; Kubernetes plugin: official, language host: official/);
    const status = await inShell("kubecamp sandbox status");
    assert.match(
      status.stdout,
      /^Sandbox 'dev' in ~\/\.kubecamp\/dev\ncluster +runs .*\nS3 server +runs /,
      status.stderr,
    );
  });

  it("makes a project in an empty folder", async () => {
    const args = [
      "init",
      "camp",
      "--host",
      "apps.example.org",
      "--member",
      "ada:user",
      "--controller",
      "ingress-nginx",
      "--yes",
    ];
    const bin = join(folder, "node_modules/.bin/kubecamp");
    assert.equal((await command(bin, args, folder)).exitCode, 0);
    assert.deepEqual((await readdir(project())).sort(), [
      ".github",
      ".gitignore",
      "Pulumi.dev.yaml",
      "Pulumi.prod.yaml",
      "Pulumi.yaml",
      "README.md",
      "index.ts",
      "members.prod.yaml",
      "package.json",
    ]);
    const { dependencies } = JSON.parse(await readFile(join(project(), "package.json"), "utf8"));
    assert.deepEqual(dependencies, { kubecamp: `file:${basename(tarball)}` });
    // The packages come along, as `npm install` would put them there.
    await rename(join(folder, "node_modules"), join(project(), "node_modules"));
  });

  it("brings that project up on its sandbox, as kubectl's plugin too, and removes it", async () => {
    const up = await inShell(
      `eval "$(kubecamp sandbox env)" && pulumi stack init dev && pulumi up --yes --skip-preview --stack dev &&
      kubectl get namespace ada -o name && kubectl camp --version && kubectl __complete camp members inv`,
      "off",
      project(),
    );
    assert.equal(up.exitCode, 0, `${up.stdout}\n${up.stderr}`);
    const [space, says, command, end] = up.stdout.split("\n").slice(-4);
    assert.deepEqual([space, says, end], ["namespace/ada", version, ":4"], up.stdout);
    assert.match(command ?? "", /^invite\t/);
    const down = await inShell("kubecamp sandbox down", "off", project());
    assert.match(down.stdout, /^Sandbox 'dev' removed\.\n.*open a new one\.\nTools and plugins stay/, down.stderr);
    assert.deepEqual(processesStartedFrom(home.folder), []);
    assert.deepEqual(
      ["dev", "tools"].map((name) => existsSync(join(home.folder, ".kubecamp", name))),
      [false, true],
    );
  });

  it("runs in that project: check, up, preview and members", async () => {
    const check = await command("kubecamp", ["members", "check"]);
    assert.equal(
      check.stdout,
      "Pulumi.dev.yaml: 1 member, no mistakes\nmembers.prod.yaml (stack prod): 1 member, no mistakes",
      check.stderr,
    );
    const init = await stack.sandbox.pulumi(["stack", "init", "prod"], { cwd: project() });
    assert.equal(init.exitCode, 0, init.stderr);
    await fine("up", "--yes", "--skip-preview");
    assert.ok(await hasNamespace(stack, "ada"));
    const preview = await command("kubecamp", ["preview", "--stack", "prod"]);
    assert.equal(preview.exitCode, 0, preview.stderr);
    assert.match(preview.stderr, /nothing differs/);
    const members = await command("kubecamp", ["members", "--stack", "prod", "-o", "json"]);
    assert.deepEqual(
      (JSON.parse(members.stdout) as { member: string }[]).map(({ member }) => member),
      ["ada"],
    );
  });

  it("has the plugin for buckets, where the project's Pulumi.yaml says", async () => {
    const [, path = ""] = /path: (.*)/.exec(await readFile(join(project(), "Pulumi.yaml"), "utf8")) ?? [];
    const plugin = spawn(join(project(), path, "pulumi-resource-kubecamp-buckets"), ["127.0.0.1:1"], { env: env() });
    const [port] = await once(createInterface(plugin.stdout), "line");
    plugin.kill();
    assert.match(port, /^\d+$/);
  });

  it("changes nothing as the repository it is packed in, in another version, with `dist/` beside", async () => {
    const clone = join(folder, "repository");
    await copyFile(join(repository, "Pulumi.yaml"), join(clone, "Pulumi.yaml"));
    for (const file of ["Pulumi.prod.yaml", "members.prod.yaml"]) {
      await copyFile(join(project(), file), join(clone, file));
    }
    const manifest = await readFile(join(clone, "package.json"), "utf8");
    await writeFile(join(clone, "package.json"), manifest.replace(version, "0.7.2"));
    // Beside `dist/`, Pulumi goes by the package's exports, and a module that registers nothing would delete everybody.
    const args = ["preview", "--stack", "prod", "--expect-no-changes"];
    const { exitCode, stdout, stderr } = await stack.sandbox.pulumi(args, { cwd: clone });
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    assert.doesNotMatch(stdout, /entry point/);
  });

  it("lets a program of one's own make objects before members' environments, and hold these", async () => {
    await writeFile(join(project(), "index.ts"), example);
    const output = await fine("up", "--yes", "--skip-preview");
    assert.equal((await stack.sandbox.get<V1ConfigMap>("configmap", "notice")).data?.term, "spring");
    assert.match(output, /namespaces: \[\s+\+\s+\[0\]: "ada"\s+\]/);
    await stack.delete("configmap", "notice");
  });

  it("keeps the ownership check in such a program", async () => {
    await makeNamespace(stack, "eve");
    await appendFile(join(project(), "members.prod.yaml"), "- member: eve\n  type: user\n");
    const { exitCode, stdout } = await pulumi("up", "--yes", "--skip-preview");
    assert.notEqual(exitCode, 0);
    assert.match(stdout, /namespace 'eve'/i);
    assert.deepEqual(await stack.sandbox.names("resourcequota", { namespace: "eve" }), []);
    await stack.delete("namespace", "eve");
  });
});
