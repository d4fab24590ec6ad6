import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { Problem } from "../../../../commands/common/problem.ts";
import { addStaffCommand } from "../../../../commands/staff/command.ts";
import { grantStaff } from "../../../../commands/staff/grant.ts";
import { type Over, over } from "../../../../commands/staff/over.ts";
import { project, useFolder } from "../../testFolder.ts";

const head = `# The school
config:
  # where it runs
  kubecamp:route: { host: camp.test, controller: ingress-nginx }   # nginx
`;
const members = "  kubecamp:members:\n    - { member: ada, type: user, labels: { course: cs101 } }\n";
const staff = `  kubecamp:staff:
    # always
    - { group: oncall, role: view }
    - group: ta-cs101    # for the exams
      role: assist
      over: { labels: { course: cs101 } }
      until: 2026-11-01
      reason: old
`;
const now = new Date("2026-11-30T12:00:30Z");
const cs101: Over = { labels: { course: "cs101" } };
const assist = { subject: false, role: "assist", dryRun: false, output: "text" } as const;

describe("kubecamp staff grant", () => {
  const folder = useFolder({ ...project, "Pulumi.prod.yaml": head + members });
  const { cwd } = process;
  const { log, error } = console;
  let printed: string[];
  const write = (text: string) => folder.write({ "Pulumi.prod.yaml": text });
  const written = () => readFileSync(join(folder.path, "Pulumi.prod.yaml"), "utf8");
  const grant = (who: string, more: Partial<Parameters<typeof grantStaff>[1]>) =>
    grantStaff(who, { ...assist, ...more }, now);
  /** What it refuses, with nothing written. */
  const refusal = async (...args: Parameters<typeof grant>): Promise<string> => {
    const before = written();
    const problem: unknown = await grant(...args).catch((caught: unknown) => caught);
    assert.equal(written(), before);
    assert.ok(problem instanceof Problem, String(problem));
    return `${problem.message}\n${problem.why}`;
  };

  beforeEach(() => {
    printed = [];
    process.cwd = () => folder.path;
    console.log = console.error = (line: string) => void printed.push(line);
  });
  afterEach(() => {
    process.cwd = cwd;
    Object.assign(console, { log, error });
  });

  it("makes a list where there is none, and leaves every other line as it is", async () => {
    await grant("ta-cs101", { over: cs101, for: "4h", reason: "exam week" });
    const entry = `  kubecamp:staff:
    - group: ta-cs101
      role: assist
      over:
        labels:
          course: cs101
      until: 2026-11-30T16:01Z
      reason: exam week
`;
    assert.equal(written(), head.replace("config:\n", `config:\n${entry}`) + members);
    assert.match(
      printed.join("\n"),
      /^add {2}group ta-cs101, role assist, over\.labels\.course cs101, until .*\nWrote Pulumi\.prod\.yaml\. /,
    );
  });

  it("adds an entry to the list, with a last day as it is given", async () => {
    write(head + staff + members);
    await grant("tina@example.org", { subject: true, role: "edit", until: "2026-12-20" });
    const entry = "    - subject: tina@example.org\n      role: edit\n      until: 2026-12-20\n";
    assert.equal(written(), head + staff + entry + members);
  });

  it("has an entry for the same people, role and members end later, with the same reason or another", async () => {
    write(head + staff + members);
    await grant("ta-cs101", { over: cs101, until: "2026-12-01T08:00+01:00" });
    const later = staff.replace("until: 2026-11-01", "until: 2026-12-01T08:00+01:00");
    assert.equal(written().replaceAll(/ +#/g, " #"), (head + later + members).replaceAll(/ +#/g, " #"));
    const [first] = printed;
    assert.equal(first, "change  until 2026-11-01 → 2026-12-01T08:00+01:00");
    await grant("ta-cs101", { over: cs101, until: "2026-12-01T08:00+01:00" });
    assert.equal(printed.at(-1), "Pulumi.prod.yaml is so already.");
    await grant("ta-cs101", { over: cs101, until: "2026-12-01T08:00+01:00", reason: "new" });
    assert.equal(printed.at(-2), "change  reason old → new");
  });

  it("shows the entry as JSON, and writes nothing with --dry-run", async () => {
    await grant("ta-cs101", { over: cs101, for: "30m", dryRun: true, output: "json" });
    assert.equal(written(), head + members);
    assert.deepEqual(JSON.parse(printed.join("\n")), {
      ...{ stack: "prod", file: "Pulumi.prod.yaml", action: "add", written: false },
      entry: { group: "ta-cs101", role: "assist", over: cs101, until: "2026-11-30T12:31Z" },
    });
  });

  it("refuses ends that are none or over, and times that are none or long", async () => {
    for (const until of ["tomorrow", "2026-12-20T18:00", "2026-02-30"]) {
      assert.match(await refusal("tas", { until }), /It is neither a day nor a time to the minute/, until);
    }
    for (const until of ["2026-11-29", "2026-11-30T12:00Z", "2026-11-30T13:00+01:00"]) {
      assert.match(await refusal("tas", { until }), /It is over already\./, until);
    }
    assert.match(await refusal("tas", { for: "2d" }), /must be hours and minutes/);
    assert.match(await refusal("tas", { for: "25h" }), /longer than a day/);
  });

  it("refuses what the check of the file refuses, with the entry's place", async () => {
    assert.match(await refusal("tas", { for: "1h", reason: "x".repeat(101) }), /staff\[0\]\.reason.* 100 characters/);
    assert.match(await refusal("oidc:tas", { for: "1h" }), /staff\[0\]\.group: .* starts with oidc\.groupsPrefix/);
    assert.match(await refusal("tas", { for: "1h", over: { types: ["usr"] } }), /no member type; did you mean 'user'/);
  });

  it("refuses an end for access that has none", async () => {
    write(head + staff + members);
    assert.match(
      await refusal("oncall", { role: "view", for: "1h" }),
      /'oncall' has this access already, without an end/,
    );
  });

  it("refuses a list that is for all stacks of the project, or a file without a place", async () => {
    folder.write({ "Pulumi.yaml": `${project["Pulumi.yaml"]}config:\n  kubecamp:staff: []\n` });
    assert.match(await refusal("tas", { for: "1h" }), /They are in Pulumi\.yaml, for all stacks/);
    folder.write(project);
    write("config: {}\n");
    assert.match(await refusal("tas", { for: "1h" }), /has no place for staff/);
  });
});

describe("the role of a grant", () => {
  const refusal = async (role: string) => {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    addStaffCommand(program);
    const args = ["staff", "grant", "hub", "--role", role, "--for", "1h"];
    const error: unknown = await program.parseAsync(args, { from: "user" }).catch((caught: unknown) => caught);
    return error instanceof Error ? error.message : "";
  };

  it("is one of people's, and a refusal of spawn says where that goes", async () => {
    const choices = "is invalid. Allowed choices are view, assist, edit.";
    assert.equal(await refusal("admin"), `error: option '--role <role>' argument 'admin' ${choices}`);
    assert.equal(
      await refusal("spawn"),
      `error: option '--role <role>' argument 'spawn' ${choices} A ServiceAccount has spawn: add it to kubecamp:staff by hand, see docs/run/jupyterhub.md.`,
    );
  });
});

describe("the members of a grant", () => {
  it("are chosen by labels, types and names", () => {
    const all = ["course=cs101", "labels.team=red", "type=user", "member=ada", "member=bob"];
    const empty: Over | undefined = undefined;
    assert.deepEqual(
      all.reduce((before: Over | undefined, text) => over(text, before), empty),
      { labels: { course: "cs101", team: "red" }, types: ["user"], members: ["ada", "bob"] },
    );
  });

  it("are not chosen by what is no pair, or by two values of one label", () => {
    assert.throws(() => over("cs101"), /It takes KEY=VALUE/);
    assert.throws(() => over("course="), /It takes KEY=VALUE/);
    assert.throws(() => over("course=cs102", cs101), /one value of course/);
  });
});
