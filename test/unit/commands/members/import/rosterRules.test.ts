import assert from "node:assert/strict";
import { Problem } from "../../../../../commands/common/problem.ts";
import { readCsv } from "../../../../../commands/members/import/csv.ts";
import { type RuleOptions, rosterRules } from "../../../../../commands/members/import/rosterRules.ts";

const options: RuleOptions = {
  match: "subject=email",
  name: [],
  take: [],
  set: ["labels.course=cs101"],
  default: [],
  leavers: "list",
};
const rules = (own: Partial<RuleOptions>, header = "First,email,Group\n") =>
  rosterRules(readCsv("r.csv", header), { ...options, ...own }, "2026-11-26");

const noRename = `A member's name can't be changed by 'members set'.
Kubernetes can't rename a namespace: the next 'kubecamp up' would remove it, with all data.`;

const columnsOf = (title: string) => readCsv("r.csv", title).columns.join(", ");

describe("a roster's rules", () => {
  it("a roster's rules are read from the options", () => {
    assert.deepEqual(
      rules({ name: ["First"], take: ["labels.group=Group"], default: ["maxCPUm=500"], leavers: "expire=+30d" }),
      {
        match: { path: ["subject"], column: "email" },
        name: ["First"],
        take: [{ path: ["labels", "group"], column: "Group" }],
        set: [{ path: ["labels", "course"], value: "cs101" }],
        defaults: [{ path: ["maxCPUm"], value: 500 }],
        leavers: { kind: "expire", on: "2026-12-26" },
        today: "2026-11-26",
      },
    );
    const odd = "First\u00a0name,Note,email,Note\n";
    assert.deepEqual(rules({ name: ["First name"] }, odd).name, ["First name"]);
    assert.deepEqual(rules({ name: ["First\u00a0name"] }, odd).name, ["First name"]);
    assert.deepEqual(rules({ leavers: "expire=2027-01-31" }).leavers, { kind: "expire", on: "2027-01-31" });
    assert.deepEqual(rules({ leavers: "suspend" }).leavers, { kind: "suspend" });
  });

  for (const [own, header, words] of [
    [
      { match: "subject=mail" },
      undefined,
      "r.csv has no column 'mail'; did you mean 'email'?\nIts columns are First, email, Group.",
    ],
    [
      { name: ["Nom"] },
      "Ada,ada@x.org,7\n",
      "r.csv has no column 'email', 'Nom'.\nIts first line looks like a person: Ada, ada@x.org, 7.",
    ],
    [
      { name: ["First"] },
      "First,Note,email,Note,First\n",
      "r.csv has several columns 'First'.\nIt is not clear which of them is meant.",
    ],
    ...["Course CS101\n\n", "Course CS101, winter\n\n", '"Course ""CS101""";;\n;;\n'].map(
      (title) =>
        [
          { name: ["First"] },
          `${title}First;email;"Group"\nAda;ada@x.org;A\n`,
          `r.csv has no column 'email', 'First'.\nIts first line has ${columnsOf(title)}, and line 3 seems to be the header.`,
        ] as const,
    ),
    [
      { match: "subjct=email" },
      undefined,
      "--match must be KEY=COLUMN, and is 'subjct=email'.\nMembers have no 'subjct'; did you mean 'subject'?",
    ],
    [{ set: ["type"] }, undefined, "'type' is not KEY=VALUE.\nThere is no '=' after the key."],
    [{ take: ["member=Group"] }, undefined, noRename],
    [
      { leavers: "remove" },
      undefined,
      "--leavers can't be 'remove'.\nIt takes list, suspend, or expire= with a number of days or a day that is not over.",
    ],
    [
      { match: "member=email", name: ["First"] },
      undefined,
      "--name has no use with --match member.\nPeople are found by the name that the matched column gives, so new ones get that name.",
    ],
    [
      { leavers: "suspend", set: ["type=user"] },
      undefined,
      "It is unknown which members came with this roster.\nNothing marks them: --set gives no label.",
    ],
  ] as const) {
    it(`a roster's rules are refused: ${words.split("\n")[0]}`, () => {
      assert.throws(
        () => rules(own, header),
        (error) => error instanceof Problem && assert.equal(`${error.message}\n${error.why}`, words) === undefined,
      );
    });
  }
});
