import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { type TestSandbox, testSandbox } from "../support/sandbox.ts";
import { kubecamp } from "./kubecamp.ts";

const members = "- member: ada\n  type: user\n";
const stackFile = (more: string) =>
  `config:\n  kubecamp:route: { host: camp.example.org }\n  kubecamp:membersFile: members.yaml\n${more}`;
const adopting = "  kubecamp:offboarding: { adopt: true }\n";
const taken = "monitoring-of-the-cluster";

describe("an import into a stack that takes over namespaces", function () {
  this.timeout(clusterTimeout);
  let sandbox: TestSandbox;
  let folder: string;
  const imported = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    await kubecamp(["members", "import", "cs101.csv", "--match", "subject=email", "--set", "type=user", ...args], {
      cwd: folder,
      env,
    });
  const here = (...args: readonly string[]) => imported({ KUBECONFIG: sandbox.kubeconfig }, ...args);
  const list = () => readFile(join(folder, "members.yaml"), "utf8");

  before(async () => {
    sandbox = await testSandbox();
    await sandbox.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: taken } });
  });
  after(() => sandbox.remove(`/api/v1/namespaces/${taken}`));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-takeover-"));
    await copyFile(join(repository, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    await writeFile(join(folder, "Pulumi.prod.yaml"), stackFile(adopting));
    await writeFile(join(folder, "members.yaml"), members);
    await writeFile(join(folder, "cs101.csv"), `email\nzoe@example.org\n${taken}@example.org\n`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const note =
    "Note: stack 'prod' names no cluster (cluster.id, cluster.context): this looks at the kubeconfig's current one.";

  it("shows the namespace of a new name, and refuses, also with --yes", async () => {
    const { exitCode, stdout, stderr } = await here("--yes");
    assert.equal(exitCode, 1);
    assert.equal(
      stdout,
      `LINE  EMAIL                                  MEMBER                     CHANGE
2     zoe@example.org                        zoe                        new
3     monitoring-of-the-cluster@example.org  monitoring-of-the-cluster  new, takes over the namespace
Each new member has: type user
cs101.csv: 2 people, 2 new, 0 changed, 0 as before
New members take over these namespaces, with everything in them: monitoring-of-the-cluster`,
    );
    assert.equal(
      stderr,
      `${note}
Error: Nothing was written: a new member would take over a namespace.
  why:        The cluster has 'monitoring-of-the-cluster' (line 3), which stack 'prod' did not make, and offboarding.adopt is true.
  what to do: If the namespace is theirs, add --adopt. If not, add them under another name with 'members add', then import again.`,
    );
    assert.equal(await list(), members);
  });

  it("writes it with --adopt, or where the entry itself says so", async () => {
    const flagged = await here("--yes", "--adopt");
    assert.deepEqual([flagged.exitCode, /new, takes over the namespace$/m.test(flagged.stdout)], [0, true]);
    assert.match(await list(), new RegExp(`member: ${taken}\n`));
    await writeFile(join(folder, "members.yaml"), members);
    assert.equal((await here("--yes", "--set", "adopt=true")).exitCode, 0);
    assert.match(await list(), new RegExp(`member: ${taken}\n(?:  .*\n)*  adopt: true\n`));
  });

  it("only shows it with --dry-run, and asks no cluster where nothing is taken over", async () => {
    const dry = await here("--dry-run", "-o", "json");
    assert.deepEqual([dry.exitCode, JSON.parse(dry.stdout).takenOver], [0, [taken]]);
    const nowhere = { KUBECONFIG: join(folder, "none") };
    assert.equal((await imported(nowhere, "--yes", "--set", "adopt=false")).exitCode, 0);
    await writeFile(join(folder, "members.yaml"), members);
    await writeFile(join(folder, "Pulumi.prod.yaml"), stackFile(""));
    assert.equal((await imported(nowhere, "--yes")).exitCode, 0);
  });

  it("refuses where the cluster can't say, unless --adopt is given, or is another cluster", async () => {
    const nowhere = { KUBECONFIG: join(folder, "none") };
    const untold =
      /^Note: .*\nError: It is unknown whether new members would take over namespaces\.\n +why: +There is no kubeconfig at /;
    const refused = await imported(nowhere, "--yes");
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, untold);
    assert.equal(await list(), members);
    await writeFile(
      join(folder, "Pulumi.prod.yaml"),
      stackFile(`${adopting}  kubecamp:cluster: { id: 00000000-0000-0000-0000-000000000000 }\n`),
    );
    assert.match(
      (await here("--yes")).stderr,
      /The kubeconfig leads to the cluster [-0-9a-f]{36}, and cluster\.id is 0{8}-/,
    );
    const anyway = await imported(nowhere, "--yes", "--adopt");
    assert.equal(anyway.exitCode, 0, anyway.stderr);
    assert.match(anyway.stderr, /^Note: It is unknown whether/m);
  });
});
