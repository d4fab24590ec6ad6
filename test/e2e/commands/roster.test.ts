import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { kubecamp, kubecampProcess } from "./kubecamp.ts";

const members = `# Staff, by hand
- member: ada # runs the course
  type: admin
  subject: "ada@example.org"
`;
const cs101 = ["--match", "subject=email", "--set", "type=guest-user", "--set", "labels.course=cs101"];
/** A roster as a spreadsheet saves it in many countries. */
const roster = (people: number, from = 0) =>
  `\ufeff"Name";"email"\r\n${Array.from({ length: people }, (_, at) => at + from)
    .map((at) => `"Müller; ${at}";s${at}@example.org\r\n`)
    .join("")}`;

describe("a list by command and by roster", () => {
  let folder: string;
  const run = (...args: readonly string[]) => kubecamp(["members", ...args], { cwd: folder });
  const imported = (...args: readonly string[]) => run("import", "cs101.csv", ...cs101, ...args);
  const list = () => readFile(join(folder, "members.yaml"), "utf8");
  const write = (file: string, text: string) => writeFile(join(folder, file), text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-roster-"));
    await copyFile(join(repository, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    await write(
      "Pulumi.prod.yaml",
      "config:\n  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n  kubecamp:membersFile: members.yaml\n",
    );
    await write("members.yaml", members);
    await write("cs101.csv", roster(300));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("imports 300 people once, and stops at a roster that has shrunk", async () => {
    const first = await imported("--yes");
    assert.equal(first.exitCode, 0, first.stderr);
    const lines = first.stdout.split("\n");
    assert.deepEqual(
      [lines.length, lines[1]?.split(/ {2,}/), lines.at(-1)],
      [303, ["2", "s0@example.org", "s0", "new"], "cs101.csv: 300 people, 300 new, 0 changed, 0 as before"],
    );
    const text = await list();
    assert.ok(text.startsWith(members), text.slice(0, 200));
    assert.equal((await run("check")).stdout, "members.yaml (stack prod): 301 members, no mistakes");

    const second = await imported("--yes");
    assert.deepEqual(second, {
      exitCode: 0,
      stdout: "cs101.csv: 300 people, 0 new, 0 changed, 300 as before",
      stderr: "members.yaml is so already.",
    });

    await write("cs101.csv", roster(269));
    const shrunk = await imported("--yes", "--leavers", "suspend");
    assert.deepEqual([shrunk.exitCode, shrunk.stdout], [1, ""]);
    assert.match(
      shrunk.stderr,
      /^Error: cs101\.csv lacks 31 of the 300 members who came with it\.\n +why: +More than a tenth of them are missing: s269, s270, .*, s299\.\n.*--max-leavers 31/,
    );
    assert.equal(await list(), text);

    const meant = await imported("--yes", "--leavers", "suspend", "--max-leavers", "31");
    assert.equal(meant.exitCode, 0, meant.stderr);
    assert.equal((await list()).split("suspended: true").length - 1, 31);
    assert.equal((await imported("--yes", "--leavers", "suspend")).stderr, "members.yaml is so already.");
  });

  it("writes nothing without a terminal or --yes, and shows what it would", async () => {
    const { exitCode, stdout, stderr } = await kubecampProcess(["members", "import", "cs101.csv", ...cs101], {
      cwd: folder,
    });
    assert.equal(exitCode, 1);
    assert.match(stdout, /^LINE +EMAIL +MEMBER +CHANGE\n2 /);
    assert.match(stderr, /^Error: Nothing was written: there is no terminal to ask at\.\n/);
    const json = await imported("-o", "json");
    assert.deepEqual([json.exitCode, json.stdout], [1, ""]);
    const dry = await imported("--dry-run", "-o", "json");
    assert.equal(dry.exitCode, 0);
    const { written, changes } = JSON.parse(dry.stdout);
    assert.deepEqual([written, changes.length], [false, 300]);
    assert.equal(await list(), members);
  });

  it("keeps the old file where it is killed before the new one is whole", async () => {
    const hook = join(folder, "killed.mjs");
    await write(
      "killed.mjs",
      `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { writeFileSync } = fs;
fs.writeFileSync = (file, data, ...rest) => {
  writeFileSync(file, data.subarray(0, data.length / 2), ...rest);
  process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
`,
    );
    const args = ["members", "import", "cs101.csv", ...cs101, "--yes"];
    const { exitCode } = await kubecampProcess(args, { cwd: folder, env: { NODE_OPTIONS: `--import=${hook}` } });
    assert.notEqual(exitCode, 0);
    assert.equal(await list(), members);
    // Half of the new list was there, beside it.
    const [half = ""] = (await readdir(folder)).filter((file) => file.endsWith(".tmp"));
    assert.match(await readFile(join(folder, half), "utf8"), /member: s0/);
    assert.equal((await imported("--yes")).exitCode, 0);
  });

  it("edits the list of members where it stands", async () => {
    const added = await run("add", "bob", "carol", "--type", "user", "--set", "maxCPUm=500");
    assert.deepEqual(added, {
      exitCode: 0,
      stdout: "add  bob    type user, maxCPUm 500\nadd  carol  type user, maxCPUm 500",
      stderr: "Wrote members.yaml: 2 members. The next 'kubecamp up' brings it to the cluster.",
    });
    await run("suspend", "bob");
    await run("set", "ada", "--set", "labels.role=tutor");
    assert.equal(
      (await run("remove", "carol")).stderr,
      "Wrote members.yaml: 1 member. The next 'kubecamp up' brings it to the cluster: it deletes the environment of carol AT ONCE, " +
        "their namespace with everything in it; 'kubecamp report --stack prod' shows what.",
    );
    const bob = "- member: bob\n  type: user\n  maxCPUm: 500\n";
    assert.equal(await list(), `${members}  labels:\n    role: tutor\n${bob}  suspended: true\n`);
    const json = await run("resume", "bob", "-o", "json");
    assert.deepEqual(JSON.parse(json.stdout), {
      stack: "prod",
      file: "members.yaml",
      changes: [{ member: "bob", action: "change", fields: [{ field: "suspended", before: true, after: null }] }],
      written: true,
    });
    assert.equal((await run("resume", "bob")).stderr, "members.yaml is so already.");
    assert.equal(
      (await run("remove", "ada", "--dry-run")).stderr,
      "members.yaml would change so: 1 member. Nothing was written. With it, the next 'kubecamp up' deletes the environment of ada AT ONCE, " +
        "their namespace with everything in it; 'kubecamp report --stack prod' shows what.",
    );
    await run("set", "bob", "--set", "expires=2020-01-31");
    assert.match((await run("resume", "bob")).stderr, /^members\.yaml is so already\.\nStill without access.*: bob\./);
    assert.equal(await list(), `${members}  labels:\n    role: tutor\n${bob}  expires: 2020-01-31\n`);
  });

  it("edits those of a course, by --where", async () => {
    await run(
      "add",
      ...Array.from({ length: 12 }, (_, at) => `s${at}`),
      "--type",
      "user",
      "--set",
      "labels.course=cs101",
    );
    const course = ["--where", "labels.course=cs101", "--where", "type=user"];
    const dry = await run("suspend", ...course, "--dry-run");
    assert.equal(dry.stdout.split("\n").length, 12);
    assert.match(dry.stdout, /^change {2}s0 {3}suspended true\n/);
    assert.equal(dry.stderr, "members.yaml would change so: 12 members. Nothing was written.");
    await run("suspend", ...course);
    assert.equal((await list()).split("suspended: true").length - 1, 12);
    await run("resume", ...course);
    const { stderr } = await run("remove", ...course);
    assert.match(stderr, /^Wrote members\.yaml: 12 members\. .*deletes the environments of these 12 members AT ONCE/);
    assert.equal(await list(), members);

    const nobody = await run("remove", ...course);
    assert.deepEqual([nobody.exitCode, nobody.stdout], [1, ""]);
    assert.match(nobody.stderr, /^Error: There is no member with type=user and labels\.course=cs101\.\n/);
    assert.match(nobody.stderr, /type is admin\.\n +No member has labels\./);
    for (const unclear of [["remove", "ada", ...course], ["suspend"]]) {
      const { exitCode, stderr: usage } = await run(...unclear);
      assert.deepEqual([exitCode, usage.split("\n")[0]], [2, "error: name members, or give '--where'"]);
    }
  });

  it("keeps who is protected: without them, every run would stop", async () => {
    const stack = await readFile(join(folder, "Pulumi.prod.yaml"), "utf8");
    await write("Pulumi.prod.yaml", `${stack}  kubecamp:offboarding: { protect: true }\n`);
    const kept = await list();
    const { exitCode, stderr } = await run("remove", "ada");
    assert.equal(exitCode, 1);
    assert.match(stderr, /^Error: 'ada' is protected\./);
    const [wayOut = ""] = /^ *kubecamp members set .*$/m.exec(stderr) ?? [];
    assert.match(stderr, /why: +Once a run has made their namespace, every run stops while their entry is missing\./);
    const asked = await run("remove", "--where", "type=admin");
    assert.match(asked.stderr, /kubecamp members set --where type=admin --set protect=false --stack prod\n/);
    assert.equal(await list(), kept);
    assert.equal((await run(...wayOut.trim().split(" ").slice(2))).exitCode, 0);
    assert.equal((await run("remove", "ada", "--dry-run")).exitCode, 0);
  });
});
