import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa, type Result, type ResultPromise } from "execa";
import { after, before, describe, it } from "mocha";
import { kubernetesMinors } from "../../../sandbox/kubernetes.ts";
import { repository } from "../../../sandbox/paths.ts";
import { processesStartedFrom } from "../../../sandbox/processes.ts";
import { readAccess } from "../../../sandbox/s3/s3Access.ts";
import { stopS3 } from "../../../sandbox/s3/s3Server.ts";
import { removeSandbox, s3Folder } from "../../../sandbox/sandbox.ts";
import { transcriptIn } from "../../../tools/pictures/files.ts";
import { kubecamp as kubecampHere } from "../commands/kubecamp.ts";
import { clusterTimeout, testCluster, testKubernetes } from "../support/cluster.ts";
import { testSandboxNamed } from "../support/testSandboxes.ts";

const sandbox = testSandboxNamed("journey");
const stackFile = join(repository, "Pulumi.dev.yaml");
// As CI services have it, and without colours whatever the terminal is that the tests run in.
const environment = { KUBECAMP_SANDBOX: sandbox.name, FORCE_COLOR: "0" };
const options = { cwd: repository, env: environment, reject: false } as const;

function kubecamp(...args: string[]): ResultPromise<typeof options> {
  return execa(process.execPath, ["bin/kubecamp.mjs", ...args], options);
}

/** Runs a script in a shell that has taken the sandbox's environment, as a person would. */
function inShell(script: string): ResultPromise<typeof options> {
  return execa("sh", ["-c", `eval "$(npm run -s sandbox:env)" && ${script}`], options);
}

function assertFine(result: Result<typeof options>): void {
  assert.equal(result.exitCode, 0, `${result.stdout}\n${result.stderr}`);
}

/** Listens to a command from now on: what comes back waits until it has printed some words, and fails if it ends without. */
function listenTo(running: ResultPromise<typeof options>): (words: string) => Promise<void> {
  let seen = "";
  for (const stream of [running.stdout, running.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      seen += chunk;
    });
  }
  return async (words) => {
    while (!seen.includes(words)) {
      if (running.nodeChildProcess.exitCode !== null) {
        assert.fail(`it ended without '${words}':\n${seen}`);
      }
      await sleep(20);
    }
  };
}

/** Waits until Pulumi has locked the stack and written its state since. */
async function amidUp(running: ResultPromise<typeof options>): Promise<void> {
  const locks = join(sandbox.pulumiState, ".pulumi", "locks");
  const state = join(sandbox.pulumiState, ".pulumi", "stacks", "kubecamp", "dev.json");
  const written = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  while (running.nodeChildProcess.exitCode === null) {
    const files = await readdir(locks, { recursive: true }).catch(() => []);
    const lock = files.find((each) => each.endsWith(".json"));
    const locked = lock === undefined ? 0 : await written(join(locks, lock));
    // Other commands lock the stack for a moment: theirs is gone by now.
    if (locked > 0 && (await written(state)) > locked) {
      return;
    }
    await sleep(50);
  }
  assert.fail("it was over before it could be stopped");
}

/** The steps' last words, without their times. */
function steps(output: string): string[] {
  return [...output.matchAll(/^✔ (.*?)\s*(\[[^\]]*\])?\s*$/gm)].map((match) => match[1] ?? "");
}

describe("kubecamp sandbox", () => {
  let stackFileBefore: string;

  before(async function () {
    this.timeout(clusterTimeout);
    // The tools are built by now, so that what follows is about everything else.
    await testCluster();
    stackFileBefore = await readFile(stackFile, "utf8");
  });
  after(() => removeSandbox(sandbox));

  it("makes a shell's eval fail before the sandbox is up", async () => {
    const { exitCode, stdout, stderr } = await kubecampHere(["sandbox", "env"], { env: environment });
    assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: "false" });
    assert.match(stderr, /is not up\.\n.*\n.*Run 'KUBECAMP_SANDBOX=\S+ kubecamp sandbox up' first/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  it("refuses a name that would lead elsewhere", async () => {
    const env = { ...environment, KUBECAMP_SANDBOX: "../elsewhere" };
    const { exitCode, stderr } = await kubecampHere(["sandbox", "down"], { env });
    assert.equal(exitCode, 1);
    assert.match(stderr, /is no name for a sandbox/);
  });

  it("shows examples with its help", async () => {
    const { stdout } = await kubecampHere(["sandbox", "--help"]);
    assert.match(stdout, /Examples:\n.*\n {2}\$ kubecamp sandbox up\n/);
  });

  it("lets nobody else at it during an up, and stops at Ctrl-C in the middle of one", async () => {
    const running = kubecamp("sandbox", "up", "--kubernetes", testKubernetes);
    const says = listenTo(running);
    await says("❯ Cluster");
    // Without waiting, this would take the half-made cluster for a broken one and remove it.
    const other = kubecamp("sandbox", "up");
    await listenTo(other)(`Waiting for process ${running.pid}, which is at work on the sandbox '${sandbox.name}'`);
    other.kill("SIGINT");
    assert.equal((await other).exitCode, 130);
    await amidUp(running);
    running.kill("SIGINT");
    const { exitCode, stderr } = await running;
    assert.equal(exitCode, 130, stderr);
    assert.match(stderr, /Interrupted/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  it("comes to three members with two routes open, also after that", async () => {
    const result = await kubecamp("sandbox", "up");
    assertFine(result);
    const table = result.stdout.slice(result.stdout.indexOf("MEMBER"));
    assert.match(table, /^alice +admin +alice +pending +no Service/m);
    assert.match(table, /^bob +user +bob +ready +https:\/\/camp\.localhost\/bob\/$/m);
    assert.match(table, /^carol +guest-user +carol +ready +https:\/\/camp\.localhost\/carol\/$/m);
    assert.match(table, /Try next:\n.*sandbox:env/);
    for (const line of table.split("\n")) {
      assert.ok(line.length <= 80, line);
    }
    const s3 = (await readAccess(s3Folder(sandbox))) ?? assert.fail("no S3 server");
    const keys = join(".sandbox", sandbox.name, "s3", "credentials");
    const [line] = steps(result.stdout).filter((each) => each.startsWith("S3 server"));
    assert.match(line ?? "", /: (created|started again|runs already), /);
    assert.ok(line?.endsWith(`, ${s3.endpoint}; its administrator's keys are in ${keys}`), line);
    assert.ok(!`${result.stdout}${result.stderr}`.includes(s3.secretAccessKey));
  });

  it("keeps the cluster's Kubernetes, and refuses another", async () => {
    const { stdout } = await inShell("kubectl version -o json");
    const { clientVersion, serverVersion } = JSON.parse(stdout) as Record<string, { gitVersion: string }>;
    assert.equal(clientVersion?.gitVersion, serverVersion?.gitVersion);
    assert.ok(serverVersion?.gitVersion.startsWith(`v${testKubernetes}.`), stdout);
    const other = kubernetesMinors.find((minor) => minor !== testKubernetes) ?? "";
    const refused = await kubecampHere(["sandbox", "up", "--kubernetes", other], { env: environment });
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, new RegExp(`has Kubernetes ${testKubernetes}\\.\\d+, not ${other}\\.`));
  });

  let again: Result<typeof options>;

  it("changes nothing when it is run again, in the repository neither", async () => {
    again = await kubecamp("sandbox", "up");
    assertFine(again);
    assert.deepEqual(steps(again.stdout).slice(-3), [
      "Stack 'dev': unchanged",
      "Application of the member bob: unchanged",
      "Its route: unchanged",
    ]);
    assert.equal(await readFile(stackFile, "utf8"), stackFileBefore);
  });

  it("prints what docs/start/sandbox.md shows", async () => {
    const shown = [...steps(again.stdout).map((step) => `✔ ${step}`), ""];
    const table = again.stdout.slice(again.stdout.indexOf("MEMBER"));
    // Another sandbox than the page's, on another machine, and not its first time.
    const alike = (text: string) =>
      text
        .replaceAll(/: (created|started again|runs already)/g, ": created")
        .replaceAll(/: (up|unchanged)$/gm, ": up")
        .replaceAll(/: (official|stand-in)/g, ": official")
        .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
        .replaceAll(`.sandbox/${sandbox.name}/`, ".sandbox/dev/")
        .replaceAll(`KUBECAMP_SANDBOX=${sandbox.name} `, "");
    const page = await readFile(join(repository, "docs/start/sandbox.md"), "utf8");
    assert.equal(alike(`${shown.join("\n")}\n${table}`), alike(transcriptIn(page)));
  });

  it("gives a shell in which plain kubecamp, pulumi and kubectl work on it", async () => {
    const asks = "fetch(process.env.AWS_ENDPOINT_URL_S3).then(({ status }) => console.log(status))";
    const shell = await inShell(
      `pulumi preview --stack dev --expect-no-changes >&2 && kubectl get ingress,service -n ingress-nginx -o name && node -e "${asks}" && kubecamp sandbox status >&2 && node --version`,
    );
    assertFine(shell);
    const lines = shell.stdout.split("\n");
    const names = ["bob", "carol"]
      .flatMap((name) => [`ingress.networking.k8s.io/${name}`, `service/${name}-svc`])
      .sort();
    assert.deepEqual(lines.slice(0, -1), [...names, "403"]);
    assert.match(lines.at(-1) ?? "", /^v24\./);
  });

  it("says what of it runs, and what has stopped", async () => {
    const status = await kubecampHere(["sandbox", "status"], { env: environment });
    const s3 = (await readAccess(s3Folder(sandbox))) ?? assert.fail("no S3 server");
    const [first, cluster, server, plugins] = status.stdout.split("\n").map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      [status.exitCode, first, cluster, server, plugins?.[0]],
      [
        0,
        [`Sandbox '${sandbox.name}' in .sandbox/${sandbox.name}`],
        ["cluster", "runs", `.sandbox/${sandbox.name}/kubeconfig`],
        ["S3 server", "runs", s3.endpoint],
        "plugins",
      ],
      status.stderr,
    );
    await stopS3({ folder: s3Folder(sandbox) });
    const stopped = await kubecampHere(["sandbox", "status"], { env: environment });
    assert.equal(stopped.exitCode, 1);
    assert.match(
      stopped.stdout,
      /^cluster +runs .*\nS3 server +stopped [\s\S]*\nTo start what has stopped, .*: KUBECAMP_SANDBOX=\S+ kubecamp sandbox up$/m,
    );
    assert.equal(stopped.stderr, "");
  });

  it("goes with down, without a trace", async () => {
    const result = await kubecamp("sandbox", "down");
    assertFine(result);
    assert.equal(existsSync(sandbox.folder), false);
    assert.deepEqual(processesStartedFrom(sandbox.folder), []);
    assert.match((await kubecampHere(["sandbox", "down"], { env: environment })).stdout, /There was no sandbox/);
  });
});
