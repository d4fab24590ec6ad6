import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "mocha";
import { secretSignature, signatureKey } from "../../../config/names/pulumiMarks.ts";
import { repository } from "../../../sandbox/paths.ts";
import { installStandIns } from "../../../sandbox/plugins/standIns.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { type CommandResult, type TestSandbox, testSandbox } from "../support/sandbox.ts";

interface State {
  readonly checkpoint: {
    readonly latest: {
      readonly resources: readonly { readonly type: string; readonly outputs?: Record<string, unknown> }[];
    };
  };
}

describe("the stand-in for the language host", () => {
  let sandbox: TestSandbox;
  let folder: string;
  let env: Record<string, string>;
  const pulumi = (...args: string[]) => sandbox.pulumi([...args, "--stack", "dev"], { cwd: folder, env });

  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
    folder = await mkdtemp(join(tmpdir(), "kubecamp-program-"));
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.ts" }));
    await writeProject({ typescript: false });
    // Started by Pulumi, and also where there is an official one, which would win over the sandbox's own stand-in.
    const bin = join(folder, "bin");
    await installStandIns({ ...sandbox.sandbox, bin }, { kubernetes: "official", languageHost: "stand-in" });
    env = { PATH: [bin, sandbox.env.PATH].join(delimiter) };
    assert.equal((await pulumi("stack", "init")).exitCode, 0);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function writeProject(options: Record<string, unknown>): Promise<void> {
    await writeFile(
      join(folder, "Pulumi.yaml"),
      JSON.stringify({ name: "stub", runtime: { name: "nodejs", options } }),
    );
  }

  async function run(command: "preview" | "up", program: string): Promise<CommandResult> {
    await writeFile(join(folder, "index.ts"), `import * as pulumi from "@pulumi/pulumi";\n${program}`);
    return pulumi(command, ...(command === "up" ? ["--yes", "--skip-preview"] : []));
  }
  const up = (program: string) => run("up", program);

  /** As the stack's state has them. */
  async function outputs(): Promise<Record<string, unknown>> {
    const file = join(sandbox.sandbox.pulumiState, ".pulumi/stacks/stub/dev.json");
    const { latest } = (JSON.parse(await readFile(file, "utf8")) as State).checkpoint;
    return latest.resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  }

  describe("runs a program in TypeScript", () => {
    let ran: CommandResult;
    let exported: Record<string, unknown>;

    before(async () => {
      await pulumi("config", "set-all", "--plaintext", "plain=seen", "--secret", "hidden=s3cret");
      await writeProject({ typescript: false, nodeargs: "--stack-trace-limit=3 '--title=a name'" });
      ran = await up(`const config = new pulumi.Config();
        export const answer: number = 6 * 7; export const where = process.cwd();
        export const names = [pulumi.getProject(), pulumi.getStack()];
        export const plain = config.require("plain"); export const hidden = config.requireSecret("hidden");
        export const title = process.title; export const args = process.execArgv;
        console.log("to the output"); console.error("to the errors");`);
      await writeProject({ typescript: false });
      assert.equal(ran.exitCode, 0, ran.stdout + ran.stderr);
      exported = await outputs();
    });

    it("and brings back what it exports", () => {
      const { answer, where, names } = exported;
      assert.deepEqual({ answer, where, names }, { answer: 42, where: folder, names: ["stub", "dev"] });
    });

    it("and gives it its configuration, secrets as secrets", () => {
      const { plain, hidden } = exported;
      assert.equal(plain, "seen");
      assert.partialDeepStrictEqual(hidden, { [signatureKey]: secretSignature });
    });

    it("and shows what it prints", () => {
      assert.match(ran.stdout, /to the output/);
      assert.match(ran.stdout, /to the errors/);
    });

    it("with nodeargs", () => {
      const { title, args } = exported;
      assert.deepEqual({ title, args }, { title: "a name", args: ["--stack-trace-limit=3", "--title=a name"] });
    });
  });

  it("tells a preview from an up, and the error of a program once", async () => {
    const result = await run(
      "preview",
      `console.log("dry run:", pulumi.runtime.isDryRun()); throw new Error("this is wrong");`,
    );
    assert.match(result.stdout, /dry run: true/);
    assert.notEqual(result.exitCode, 0);
    assert.equal(result.stdout.split("Error: this is wrong").length - 1, 1, result.stdout);
    assert.doesNotMatch(result.stdout, /non-zero exit code/);
  });

  it("tells the exit code of a program that ends by itself", async () => {
    const result = await up("process.exit(7);");
    assert.notEqual(result.exitCode, 0);
    assert.match(result.stdout, /Program exited with non-zero exit code: 7/);
  });
});
