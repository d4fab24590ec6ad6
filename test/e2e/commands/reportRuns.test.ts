import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { kubecamp } from "./kubecamp.ts";

const stackUrn = "urn:pulumi:dev::kubecamp::pulumi:pulumi:Stack::kubecamp-dev";
const empty = JSON.stringify({ steps: [{ op: "same", urn: stackUrn }], changeSummary: { same: 1 } });
const pending = JSON.stringify({
  steps: [{ op: "same", urn: stackUrn }],
  diagnostics: [
    {
      severity: "warning",
      message:
        "warning: [pending] A route is pending, and will open with the first 'pulumi up' that finds a fit Service:\n  bob: why\n",
    },
  ],
});

describe("kubecamp report, on its own", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-report-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Puts a `pulumi` with these lines of shell on the PATH. */
  async function pulumi(...lines: string[]): Promise<void> {
    await writeFile(join(folder, "pulumi"), ["#!/bin/sh", ...lines].join("\n"));
    await chmod(join(folder, "pulumi"), 0o755);
  }

  /** With the fake `pulumi`, and none of the machine's. */
  const path = () => [folder, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);

  /** Runs it in this process, which does for whatever needs no signal. */
  const runHere = (args: readonly string[], { env = {} }: { env?: object } = {}) =>
    kubecamp(["report", ...args], { cwd: folder, env: { PATH: path(), ...env } });

  function start(args: readonly string[], { detached = false } = {}) {
    const command = [join(repository, "bin/kubecamp.mjs"), "report", ...args];
    return spawn(process.execPath, command, { cwd: folder, env: { ...process.env, PATH: path() }, detached });
  }

  it("runs a plain preview of the stack, whose remarks go to stderr", async () => {
    await pulumi(
      `echo "$@ stream=$PULUMI_ENABLE_STREAMING_JSON_PREVIEW backend=$PULUMI_BACKEND_URL in $PWD" > asked`,
      "echo 'warning: a newer version' >&2",
      `echo '${empty}'`,
    );
    const env = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true", PULUMI_BACKEND_URL: "file:///x" };
    const { exitCode, stdout, stderr } = await runHere(["--stack", "dev", "--refresh"], { env });
    assert.deepEqual([exitCode, stdout], [0, "Stack dev: Nothing changes."]);
    assert.match(stderr, /warning: a newer version$/);
    assert.equal(
      await readFile(join(folder, "asked"), "utf8"),
      `preview --json --stack dev --refresh stream= backend=file:///x in ${folder}\n`,
    );
  });

  it("reports what Pulumi said where there is no preview at all", async () => {
    await pulumi("echo 'error: getting secrets manager: incorrect passphrase' >&2", "exit 1");
    const { exitCode, stdout, stderr } = await runHere(["--stack", "prod", "-o", "markdown"]);
    assert.equal(exitCode, 1);
    assert.match(stdout, /^<!-- kubecamp report: prod -->\n[\s\S]*> getting secrets manager: incorrect passphrase\n/);
    assert.match(stderr, /There is no preview, or it failed/);
  });

  it("fails with a preview that ended badly, whatever it had printed until then", async () => {
    await writeFile(join(folder, "printed"), pending);
    await pulumi("cat printed", "exit 255");
    const { exitCode, stdout } = await runHere(["--stack", "dev", "--fail-on", "pending"]);
    assert.equal(exitCode, 1);
    assert.match(stdout, /The preview failed\.\n[\s\S]*'pulumi preview' ended with exit code 255\n[\s\S]*PENDING/);
  });

  it("ends the preview with Ctrl-C, once", async () => {
    const script = `
      const { appendFileSync, writeFileSync } = require("node:fs");
      process.on("SIGINT", () => {
        appendFileSync("signals", "INT ");
        setTimeout(() => process.exit(1), 500);
      });
      setInterval(() => undefined, 1000);
      writeFileSync("pid", String(process.pid));
    `;
    await writeFile(join(folder, "fake.cjs"), script);
    await pulumi("exec node fake.cjs");
    // A terminal sends the signal to the whole process group.
    const child = start(["--stack", "dev"], { detached: true });
    const pid = async () => Number(await readFile(join(folder, "pid"), "utf8").catch(() => ""));
    while ((await pid()) === 0) {
      await sleep(50);
    }
    assert.ok(child.pid);
    process.kill(-child.pid, "SIGINT");
    const [exitCode] = (await once(child, "exit")) as [number];
    assert.equal(exitCode, 130);
    assert.equal(await readFile(join(folder, "signals"), "utf8"), "INT ");
    const ended = await pid();
    assert.throws(() => process.kill(ended, 0), /ESRCH/);
  });

  it("ends with 3 where something of --fail-on is there, and with 0 where nothing is", async () => {
    await writeFile(join(folder, "printed"), pending);
    await pulumi("cat printed");
    const { exitCode, stdout, stderr } = await runHere(
      "--stack dev --fail-on removal,pending --fail-on replacement".split(" "),
    );
    assert.deepEqual([exitCode, stderr.split("\n").at(-1)], [3, "--fail-on found: pending."]);
    assert.match(stdout, /^Stack dev: Nothing changes\. 1 pending\n/);
    assert.equal((await runHere(["--stack", "dev", "--fail-on", "removal"])).exitCode, 0);
  });

  it("prints what it has where it can't write the rest", async () => {
    await pulumi(`echo '${empty}'`);
    const { exitCode, stdout, stderr } = await runHere(["--stack", "dev", "--attach", "no/such/folder.md"]);
    assert.deepEqual([exitCode, stdout], [1, "Stack dev: Nothing changes."]);
    assert.match(stderr, /The whole report can't be written to no\/such\/folder\.md\./);
  });
});
