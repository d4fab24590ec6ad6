import assert from "node:assert/strict";
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { parse } from "yaml";
import { repository } from "../../../sandbox/paths.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { useStack } from "../program/stack.ts";

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
  >;
}

describe("the workflows' steps", () => {
  // Each test runs Pulumi several times.
  const stack = useStack("steps");
  let temporary: string;

  before(async () => {
    await stack.makeProject();
    for (const part of ["bin", ".github"]) {
      await symlink(join(repository, part), join(stack.folder, part));
    }
    temporary = await mkdtemp(join(tmpdir(), "kubecamp-steps-"));
  });
  after(() => rm(temporary, { recursive: true, force: true }));

  /** Runs a step's script as GitHub does, in the stack's folder, with a summary file and a temporary folder. */
  async function step(
    workflow: string,
    job: string,
    name: string,
    cwd = stack.folder,
    env: Record<string, string> = {},
  ) {
    const text = await readFile(join(repository, ".github/workflows", `${workflow}.yml`), "utf8");
    const script = (parse(text) as Workflow).jobs[job]?.steps.find((one) => one.name === name)?.run;
    assert.ok(script !== undefined, `${workflow}.yml has no step '${name}' in job '${job}'`);
    const [summary, output, environment] = ["summary", "output", "env"].map((file) => join(temporary, file)) as [
      string,
      string,
      string,
    ];
    await Promise.all([summary, output, environment].map((file) => writeFile(file, "")));
    // Each job has a folder of its own.
    await rm(join(cwd, "report"), { recursive: true, force: true });
    const result = await execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd,
      env: {
        ...stack.sandbox.env,
        STACK: stack.name,
        GITHUB_SHA: "0123abc",
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        GITHUB_ENV: environment,
        RUNNER_TEMP: temporary,
        ...env,
      },
      reject: false,
    });
    const read = (file: string) => readFile(file, "utf8");
    return {
      exitCode: result.exitCode,
      log: `${result.stdout}\n${result.stderr}`,
      summary: await read(summary),
      output: await read(output),
      environment: await read(environment),
    };
  }

  it("find the stacks, go up, and see drift and nothing else at night", async () => {
    await stack.configure([{ member: "bob", type: "user" }]);
    const stacks = await step("preview", "check", "Stacks");
    assert.equal(stacks.output, 'names=["steps"]\n', stacks.log);

    const up = await step("up", "up", "Up");
    assert.equal(up.exitCode, 0, up.log);
    assert.match((await step("up", "up", "Members")).summary, /^### Members of stack steps now\n```\nMEMBER .*\nbob /);

    await stack.delete("limitrange", "default-limits", "bob");
    const { exitCode, log } = await step("drift", "drift", "Look");
    assert.equal(exitCode, 0, log);
    assert.equal(await readFile(join(stack.folder, "report/changes"), "utf8"), "1\n");
    // All that it sees: the pending route is no drift.
    assert.match(
      await readFile(join(stack.folder, "report/report.md"), "utf8"),
      /^<!-- kubecamp report: steps -->\n### .*\n\n\*\*1 changes, 1 pending\*\*\n(.*\n)*\| bob \| LimitRange bob\/default-limits none → there \|\n/,
    );
  });

  it("tell mistakes at their lines, and refresh after an up that failed", async () => {
    await stack.configure([{ member: "bob", type: "usr" }]);
    const mistaken = await step("preview", "check", "Members");
    assert.equal(mistaken.exitCode, 1);
    assert.match(mistaken.log, /^::error file=Pulumi\.steps\.yaml,line=\d+::members\[0\]\.type: /m);
    const failed = await step("up", "up", "Up");
    assert.notEqual(failed.exitCode, 0);

    await stack.configure([{ member: "bob", type: "user" }]);
    const mended = await step("up", "up", "Up");
    assert.equal(mended.exitCode, 0, mended.log);
    // It was deleted by hand above: only a refresh notices.
    assert.ok(await stack.sandbox.find("limitrange", "default-limits", "bob"));
  });

  it("report on a fork's pull request without cluster, state and key", async () => {
    const fork = join(temporary, "fork");
    await cp(stack.folder, fork, { recursive: true });
    await appendFile(join(fork, "Pulumi.steps.yaml"), "secretsprovider: awskms://alias/of-somebody-else\n");
    const env = { KUBECAMP_OFFLINE: "1", KUBECONFIG: "/dev/null", PULUMI_BACKEND_URL: "" };
    const empty = await step("preview", "offline", "Empty state", fork, env);
    assert.equal(empty.exitCode, 0, empty.log);
    const [, backend = ""] = /PULUMI_BACKEND_URL=(.*)/.exec(empty.environment) ?? [];
    const { exitCode, log, summary } = await step("preview", "offline", "Report", fork, {
      ...env,
      PULUMI_BACKEND_URL: backend,
    });
    assert.equal(exitCode, 0, log);
    assert.match(summary, /^<!-- kubecamp report: steps -->\n[\s\S]*bob/);
  });

  it("report on all shards of a list that is split, by the name of the list", async () => {
    const [ann, bob] = ["ann", "bob"].map((member) => ({ member, type: "user" }));
    assert.ok(ann && bob);
    await stack.configure([ann, bob], { shards: 2 });
    const files = ["shards", "files", "--stack", stack.name, "--folder", stack.folder];
    assert.equal((await kubecamp(files, { env: stack.sandbox.env })).exitCode, 0);
    for (const shard of ["steps-0", "steps-1"]) {
      await stack.init(shard);
    }
    assert.equal((await step("preview", "check", "Stacks")).output, 'names=["steps"]\n');
    const report = await step("preview", "preview", "Report");
    assert.equal(report.exitCode, 0, report.log);
    assert.match(
      report.summary,
      /^<!-- kubecamp report: steps -->\n[\s\S]*1 joins[\s\S]*\| ann \| user \| opened to oidc:ann;/,
    );
  });
});
