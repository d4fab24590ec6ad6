import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { kubecamp, kubecampProcess } from "./kubecamp.ts";

const settings = `config:
  kubecamp:route:
    host: camp.example.org
    controller: ingress-nginx
  kubecamp:oidc:
    usernamePrefix:
      secure: AAABADhQVGhlIHNlY3JldA==
`;

/** A different mistake on each of the lines that end so. */
const mistaken = `- member: Alice # wrong
  type: admin
- member: bob
  type: usr # wrong
- { member: carol, type: user, maxCPUm: "500" } # wrong
- { member: dave, type: user, expires: 2026-02-30 } # wrong
- { member: erin, type: user, suspend: true } # wrong
- member: erin # wrong
  type: user
- member: heidi
  type: user
  subject: 5 # wrong
- type: user # wrong
`;

describe("kubecamp members check", () => {
  let folder: string;
  const check = (args: readonly string[] = []) => kubecamp(["members", "check", ...args], { cwd: folder });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-check-"));
    await copyFile(join(repository, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    await writeFile(join(folder, "Pulumi.prod.yaml"), `${settings}  kubecamp:membersFile: members.yaml\n`);
    await writeFile(join(folder, "members.yaml"), mistaken);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("prints a line for each mistake, with its file and line, and fails", async () => {
    const { exitCode, stdout, stderr } = await check();
    assert.deepEqual({ exitCode, stderr }, { exitCode: 1, stderr: "" });
    const lines = stdout.split("\n");
    const marked = mistaken
      .split("\n")
      .flatMap((line, at) => (line.endsWith("# wrong") ? [`members.yaml:${at + 1}`] : []));
    assert.deepEqual(
      lines.slice(0, -1).map((line) => line.split(": ")[0]),
      marked,
      stdout,
    );
    assert.equal(lines.at(-1), "members.yaml (stack prod): 8 members, 8 mistakes");
  });

  it("finds no mistake in what a run would take, and never shows what is encrypted", async () => {
    await writeFile(join(folder, "members.yaml"), "- member: bob\n  type: user\n");
    for (const args of [[], ["Pulumi.prod.yaml"], ["members.yaml"]]) {
      assert.deepEqual(await check(args), {
        exitCode: 0,
        stdout: "members.yaml (stack prod): 1 member, no mistakes",
        stderr: "",
      });
    }
    const { stdout } = await check(["-o", "json"]);
    assert.deepEqual(JSON.parse(stdout), [
      { file: "members.yaml", stack: "prod", members: 1, expired: [], mistakes: [], warnings: [] },
    ]);
  });

  it("finds no mistake in the repository's own stacks", async () => {
    const { exitCode, stdout } = await kubecamp(["members", "check"]);
    assert.equal(exitCode, 0, stdout);
  });

  it("exits with 2 for what it could not look at", async () => {
    for (const [args, words] of [
      [["nobody.yaml"], /^Error: Can't read nobody\.yaml\.\n +why: +ENOENT/],
      [["-o", "wide"], /argument 'wide' is invalid\. Allowed choices are text, json\./],
      [["--stack", "prod"], /unknown option '--stack'/],
    ] as const) {
      const { exitCode, stdout, stderr } = await check(args);
      assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: "" });
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
  });

  it("loads neither Pulumi nor the Kubernetes client nor the sandbox", async () => {
    const managedObject = join(folder, "guard.mjs");
    const hook = `import { registerHooks } from "node:module";
      const heavy = /@pulumi|client-node|listr2|execa|grpc|\\/sandbox\\/(?!(main|kubecamp|command|kubernetes)\\.ts$)/;
      registerHooks({
        load(url, context, next) {
          if (heavy.test(url.slice(${JSON.stringify(`file://${repository}`)}.length))) throw new Error("loads " + url);
          return next(url, context);
        },
      });`;
    await writeFile(managedObject, hook);
    await writeFile(join(folder, "members.yaml"), "- member: bob\n  type: user\n");
    const env = { NODE_OPTIONS: `--import=${managedObject}` };
    assert.deepEqual(await kubecampProcess(["members", "check"], { cwd: folder, env }), {
      exitCode: 0,
      stdout: "members.yaml (stack prod): 1 member, no mistakes",
      stderr: "",
    });
    assert.equal((await kubecampProcess(["--help"], { env })).exitCode, 0);
    // Proves that the loader hook above catches something.
    assert.match((await kubecampProcess(["members"], { env })).stderr, /loads file:.*(client-node|@pulumi)/);
  });
});
