import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { useStack } from "../../program/stack.ts";
import { install, packed } from "./packed.ts";

/** The program of one's own in docs/start/project.md. */
const [, example = ""] =
  /```ts\n([^`]*)```/.exec(readFileSync(join(repository, "docs/start/project.md"), "utf8")) ?? [];
const [object = ""] = /^new core\..*$/m.exec(example) ?? [];

describe("the package", () => {
  // For the namespace of the ingress controller, and for cleaning up.
  const stack = useStack("package");
  const [earlier, later] = ["0.7.1", "0.7.2"];
  let folder = "";
  let tarballs: Readonly<Record<string, string>> = {};
  const project = () => join(folder, "camp");

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-package-"));
    tarballs = await packed(folder, earlier, later);
    await install(tarballs[earlier] ?? "", folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

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

  it("has the product as JavaScript with types and maps, and nothing of scaffold, benchmark or tests", async () => {
    const { stdout } = await execa("tar", ["-tzf", tarballs[earlier] ?? ""]);
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
    for (const end of [".js", ".d.ts", ".js.map"]) assert.ok(names.includes(`dist/components/program${end}`));
    assert.deepEqual(
      names.filter((name) => /^dist\/(scaffold|test|bench)|(?<!\.d)\.ts$/.test(name)),
      ["index.ts"],
    );
  });

  it("makes a project in an empty folder", async () => {
    const args = ["init", "camp", "--host", "apps.example.org", "--member", "ada:user", "--yes"];
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
    assert.deepEqual(dependencies, { kubecamp: `^${earlier}` });
    await install(tarballs[earlier] ?? "", project());
  });

  it("runs in that project: check, preview, up and members", async () => {
    const check = await command("kubecamp", ["members", "check"]);
    assert.equal(
      check.stdout,
      "Pulumi.dev.yaml: 1 member, no mistakes\nmembers.prod.yaml (stack prod): 1 member, no mistakes",
      check.stderr,
    );
    const init = await stack.sandbox.pulumi(["stack", "init", "prod"], { cwd: project() });
    assert.equal(init.exitCode, 0, init.stderr);
    assert.match(await fine("preview"), /kubecamp:index:MemberEnvironment +ada +create/);
    await fine("up", "--yes", "--skip-preview");
    assert.equal(await stack.kubectl("get", "namespace", "ada", "-o", "name"), "namespace/ada");
    const members = await command("kubecamp", ["members", "--stack", "prod", "-o", "json"]);
    assert.deepEqual(
      (JSON.parse(members.stdout) as { member: string }[]).map(({ member }) => member),
      ["ada"],
    );
  });

  it("is a plugin of kubectl", async () => {
    const { stdout, stderr } = await command("kubectl", ["camp", "--version"]);
    assert.equal(stdout, earlier, stderr);
  });

  it("completes commands in bash, and has scripts for zsh and fish", async () => {
    const script = join(folder, "completion.bash");
    await writeFile(script, (await command("kubecamp", ["complete", "bash"])).stdout);
    // The function is part of the package bash-completion, which a shell's user has.
    const typed = `_get_comp_words_by_ref() { words=(kubecamp members inv); cur=inv; cword=2; }
      . '${script}'; __kubecamp_complete; echo "\${COMPREPLY[@]}"`;
    assert.match((await command("bash", ["-c", typed])).stdout, /^invite$/);
    for (const [shell, start] of [
      ["zsh", /^#compdef kubecamp/],
      ["fish", /complete -c kubecamp/m],
    ] as const) {
      assert.match((await command("kubecamp", ["complete", shell])).stdout, start);
    }
  });

  it("has the plugin for buckets, where the project's Pulumi.yaml says", async () => {
    const [, path = ""] = /path: (.*)/.exec(await readFile(join(project(), "Pulumi.yaml"), "utf8")) ?? [];
    const plugin = spawn(join(project(), path, "pulumi-resource-kubecamp-buckets"), ["127.0.0.1:1"], { env: env() });
    const [port] = await once(createInterface(plugin.stdout), "line");
    plugin.kill();
    assert.match(port, /^\d+$/);
  });

  it("is upgraded without a change", async () => {
    await install(tarballs[later] ?? "", project());
    assert.equal((await command("kubectl", ["camp", "--version"])).stdout, later);
    await fine("up", "--yes", "--expect-no-changes");
  });

  it("leaves the repository in which it is packed the program that it was, whose stack goes on without a change", async () => {
    const clone = join(folder, "repository");
    await copyFile(join(repository, "Pulumi.yaml"), join(clone, "Pulumi.yaml"));
    for (const file of ["Pulumi.prod.yaml", "members.prod.yaml"]) {
      await copyFile(join(project(), file), join(clone, file));
    }
    // Beside `dist/`, Pulumi goes by the package's exports, and a module that registers nothing would delete everybody.
    const args = ["preview", "--stack", "prod", "--expect-no-changes"];
    const { exitCode, stdout, stderr } = await stack.sandbox.pulumi(args, { cwd: clone });
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    assert.doesNotMatch(stdout, /entry point/);
  });

  it("lets a program of one's own make objects before members' environments, and hold these", async () => {
    await writeFile(join(project(), "index.ts"), example);
    await fine("up", "--yes", "--skip-preview");
    assert.equal(await stack.kubectl("get", "configmap", "notice", "-o", "jsonpath={.data.term}"), "spring");
    assert.deepEqual(JSON.parse(await fine("stack", "output", "namespaces", "--json")), ["ada"]);
    await stack.kubectl("delete", "configmap", "notice");
  });

  it("keeps the policy gate in such a program", async () => {
    await writeFile(join(project(), "index.ts"), `${example.replace(object, "")}\n${object}\n`);
    const { exitCode, stdout } = await pulumi("preview");
    assert.notEqual(exitCode, 0);
    assert.match(stdout, /The policy gate stops this run/);
  });

  it("keeps the ownership check in such a program", async () => {
    await writeFile(join(project(), "index.ts"), example);
    await stack.kubectl("create", "namespace", "eve");
    await appendFile(join(project(), "members.prod.yaml"), "- member: eve\n  type: user\n");
    const { exitCode, stdout } = await pulumi("up", "--yes", "--skip-preview");
    assert.notEqual(exitCode, 0);
    assert.match(stdout, /namespace 'eve'/i);
    assert.equal(await stack.kubectl("get", "resourcequota", "-n", "eve", "-o", "name"), "");
    await stack.kubectl("delete", "namespace", "eve");
  });
});
