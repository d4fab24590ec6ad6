import assert from "node:assert/strict";
import type { ListedEntry } from "../../../../../commands/members/edit/assignments.ts";
import { entryDifference } from "../../../../../commands/members/edit/differences.ts";
import type { PlannedEdit } from "../../../../../commands/members/edit/plannedEdit.ts";
import type { RosterPlan, RosterRules } from "../../../../../commands/members/import/rosterPlan.ts";
import { rosterSummary, rosterTable } from "../../../../../commands/members/import/rosterText.ts";

const rules: RosterRules = {
  match: { path: ["subject"], column: "E-mail" },
  name: [],
  take: [{ path: ["labels", "group"], column: "Group" }],
  set: [{ path: ["labels", "course"], value: "cs101" }],
  defaults: [{ path: ["type"], value: "user" }],
  leavers: { kind: "expire", on: "2026-12-26" },
  today: "2026-11-26",
};
const entry = (member: string, group: string, more: ListedEntry = {}): ListedEntry => ({
  member,
  type: "user",
  labels: { course: "cs101", group },
  ...more,
});
const [dan, eve] = [entry("dan", "a"), entry("eve", "b")];
const soon = { expires: "2026-12-01" };
const plan: RosterPlan = {
  people: [
    { line: 2, key: "zoe@x.org", before: undefined, after: entry("zoe", "b") },
    { line: 3, key: "bob@x.org", before: entry("bob", "a"), after: entry("bob", "b") },
    { line: 4, key: "dan@x.org", before: dan, after: dan },
    { line: 5, key: "a@x.org", before: entry("a", "a", soon), after: entry("a", "a", soon) },
    { line: 6, key: "c@x.org", before: dan, after: entry("c", "a", { suspended: true }) },
    { line: 7, key: "d@x.org", before: entry("d", "a", soon), after: entry("d", "a", { expires: "2026-12-02" }) },
  ],
  missing: { imported: 20, names: ["eve"], changes: [{ before: eve, after: { ...eve, expires: "2026-12-26" } }] },
  edit: { changed: new Map(), added: [] },
  mistakes: [],
};
const edit = {
  list: { stack: "prod", file: "members.yaml" },
  differences: [
    entryDifference("eve", eve, { ...eve, expires: "2026-12-26" }),
    entryDifference("bob", entry("bob", "a"), entry("bob", "b")),
    entryDifference("zoe", undefined, entry("zoe", "b")),
  ].filter((one) => one !== undefined),
} as unknown as PlannedEdit;

describe("what an import shows", () => {
  it("what an import shows is a table in the order of the roster, then of who is missing", () => {
    assert.equal(
      rosterTable(plan, edit, rules),
      `LINE  E-MAIL     MEMBER  CHANGE
2     zoe@x.org  zoe     new: labels.group b
3     bob@x.org  bob     labels.group a → b
-     -          eve     missing: expires 2026-12-26`,
    );
  });

  it("shows as whom new members sign in whose name was made of the login", () => {
    const zoe = { member: "zoe-b", subject: "Zoe.B", type: "user" };
    const differences = [entryDifference("zoe-b", undefined, zoe)].filter((one) => one !== undefined);
    const people = [{ line: 2, key: "Zoe.B", before: undefined, after: zoe }];
    const byName = { ...rules, match: { path: ["member"], column: "login" } };
    assert.match(
      rosterTable({ ...plan, people }, { ...edit, differences }, byName),
      /^2 +Zoe\.B +zoe-b +new: subject Zoe\.B$/m,
    );
  });

  it("the summary is what new members have, how many, who is missing, and who has no access", () => {
    assert.equal(
      rosterSummary("cs101.csv", plan, edit, rules),
      `Each new member has: type user, labels.course cs101
cs101.csv: 6 people, 1 new, 1 changed, 4 as before
Missing from the roster, of 20 members of this roster: eve; their last day is 2026-12-26
In the roster, but suspended, expired or expiring: a (expires 2026-12-01), c (suspended). 'members resume' and 'members set' change that`,
    );
  });
});
