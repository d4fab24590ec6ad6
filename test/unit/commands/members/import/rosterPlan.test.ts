import assert from "node:assert/strict";
import type { ListedEntry } from "../../../../../commands/members/edit/assignments.ts";
import { readCsv } from "../../../../../commands/members/import/csv.ts";
import { isShrunk, type Leavers } from "../../../../../commands/members/import/missing.ts";
import { type RosterRules, rosterPlan } from "../../../../../commands/members/import/rosterPlan.ts";

const today = "2026-11-26";
const rules: RosterRules = {
  match: { path: ["subject"], column: "email" },
  name: [],
  take: [],
  set: [
    { path: ["type"], value: "guest-user" },
    { path: ["labels", "course"], value: "cs101" },
  ],
  defaults: [],
  leavers: { kind: "list" },
  today,
};
const student = (member: string, more: ListedEntry = {}): ListedEntry => ({
  member,
  type: "guest-user",
  labels: { course: "cs101" },
  subject: `${member}@x.org`,
  ...more,
});
const plan = (text: string, entries: readonly ListedEntry[], own: Partial<RosterRules> = {}) =>
  rosterPlan(readCsv("r.csv", text), entries, { ...rules, ...own }, (name) => name.startsWith("kube-"));
const roster = (...names: readonly string[]) =>
  `name,email\n${names.map((name) => `${name},${name}@x.org\n`).join("")}`;
const nothing = { changed: new Map(), added: [] };

describe("a roster's plan", () => {
  it("adds people who are new, with a name of their address, and changes those who are there", () => {
    const bob = { member: "robert", type: "user", subject: "bob@x.org", labels: { team: "red" }, maxCPUm: 500 };
    const { edit, mistakes } = plan(roster("ada", "bob"), [bob]);
    assert.deepEqual(mistakes, []);
    assert.deepEqual(edit, {
      added: [student("ada")],
      changed: new Map([["robert", { ...bob, type: "guest-user", labels: { team: "red", course: "cs101" } }]]),
    });
  });

  it("finds a person with several environments by the roster's labels, and makes one more by a pattern", () => {
    const own = student("ada");
    const thesis = student("ada-thesis", { subject: "ada@x.org", labels: {} });
    assert.deepEqual(plan(roster("ada"), [thesis, own]).edit, nothing);
    assert.match(
      plan(roster("ada"), [thesis, { ...thesis, member: "ada-2" }]).mistakes[0]?.message ?? "",
      /of several members: ada-thesis, ada-2; tell them apart by a label in --set/,
    );
    const pattern = { name: ["email"], pattern: "{email}-cs101" };
    const { edit, mistakes } = plan(roster("ada"), [thesis], pattern);
    assert.deepEqual(mistakes, []);
    assert.deepEqual(edit.added, [student("ada-cs101", { subject: "ada@x.org" })]);
    assert.deepEqual(plan(roster("ada"), [thesis, ...edit.added], pattern).edit, nothing);
  });

  it("changes nothing the second time where the name itself is matched", () => {
    const byName = { match: { path: ["member"], column: "login" } };
    const text = "login\nada@x.org\nkube-ada\n2026-bob\n山田\nJörg M.\neve\n";
    const { edit, mistakes } = plan(text, [], byName);
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      edit.added.map(({ member, subject }) => [member, subject]),
      [
        ["ada", "ada@x.org"],
        ["m-kube-ada", "kube-ada"],
        ["m-2026-bob", "2026-bob"],
        ["m-5f34cd83", "山田"],
        ["jorg-m", "Jörg M."],
        ["eve", undefined],
      ],
    );
    assert.deepEqual(plan(text, edit.added, byName).edit, nothing);
    assert.deepEqual(
      plan(`${text}EVE\n`, [], byName).mistakes.map(({ message }) => message),
      ['"EVE" is on line 7 already; each person has one line'],
    );
  });

  it("takes no login for another of which the same name is made", () => {
    const byName = { match: { path: ["member"], column: "login" } };
    const { edit, mistakes } = plan("login\na.b\na-b\n1337\n", [], byName);
    assert.deepEqual([mistakes, edit.added.map(({ subject }) => subject)], [[], ["a.b", "a-b", "1337"]]);
    const ofBoth = student("a-b", { subject: "a-b" });
    assert.match(String(plan("login\na.b\n", [ofBoth], byName).edit.added[0]?.member), /^a-b-[0-9a-f]{6}$/);
    const named = { member: "a-b", type: "guest-user" };
    assert.deepEqual(
      plan("login\na.b\n", [named], byName).mistakes.map(({ line, message }) => `${line} ${message}`),
      [
        "2 \"a.b\" may be 'a-b', who has no subject and signs in as 'a-b': set the subject of that member, then import again",
      ],
    );
    assert.deepEqual(plan("login\na-b\n", [named], byName).mistakes, []);
  });

  it("lets nobody sign in by a name that was made up", () => {
    const reported = (text: string, own: Partial<RosterRules>) =>
      plan(text, [student("old")], own).mistakes.map(({ line, path, message }) => `${line} ${path} ${message}`);
    const take = [{ path: ["subject"], column: "uid" }];
    const byName = { match: { path: ["member"], column: "login" }, take };
    const wayOut = "so that it is not known as whom";
    assert.deepEqual(reported("login,uid\nada,\nbob,b-1\nold,\n", byName), [
      `2 uid is empty, ${wayOut} 'ada' signs in`,
    ]);
    const byNumber = { match: { path: ["labels", "number"], column: "n" }, name: ["who"] };
    assert.deepEqual(reported("n,who,uid\n1,Ada,a-1\n2,Bob,\n", byNumber), [
      `2 n is of somebody new without a subject, ${wayOut} 'ada' signs in; add --take subject=COLUMN`,
      `3 n is of somebody new without a subject, ${wayOut} 'bob' signs in; add --take subject=COLUMN`,
    ]);
    assert.deepEqual(reported("n,who,uid\n1,Ada,a-1\n2,Bob,\n", { ...byNumber, take }), [
      `3 uid is empty, ${wayOut} 'bob' signs in`,
    ]);
  });

  it("finds people by address in any case, by name without a subject, or by another key", () => {
    assert.deepEqual(plan("email\nADA@x.org\n", [student("ada")]).edit, nothing);
    const named = { member: "ada", type: "guest-user", labels: { course: "cs101", number: "0042" } };
    assert.deepEqual(plan("email\nada\n", [named]).edit, nothing);
    assert.deepEqual(plan("n\n0042\n", [named], { match: { path: ["labels", "number"], column: "n" } }).edit, nothing);
    const byName = { match: { path: ["member"], column: "login" } };
    assert.deepEqual(plan("login\nAda\n", [named], byName).edit, nothing);
    assert.deepEqual(plan("login\nBob B.\n", [], byName).edit.added, [
      { member: "bob-b", type: "guest-user", labels: { course: "cs101" }, subject: "Bob B." },
    ]);
  });

  it("makes names of columns, and takes columns' values, unless a cell is empty", () => {
    const text = "First,Last,email,Group,CPU\nAda,King,a@x.org,7,500\nBob,,b@x.org,,\n";
    const { edit } = plan(text, [student("bob", { subject: "b@x.org", maxCPUm: 100 })], {
      name: ["First", "Last"],
      take: [
        { path: ["labels", "group"], column: "Group" },
        { path: ["maxCPUm"], column: "CPU" },
      ],
      set: [{ path: ["labels", "course"], value: "cs101" }],
      defaults: [{ path: ["type"], value: "user" }],
    });
    const labels = { group: "7", course: "cs101" };
    assert.deepEqual(edit, {
      added: [{ member: "ada-king", subject: "a@x.org", labels, maxCPUm: 500, type: "user" }],
      changed: new Map(),
    });
  });

  it("lets no new member take over a namespace, unless the options say so", () => {
    const added = (own: Partial<RosterRules>) =>
      plan(roster("ada"), [], { adopts: true, ...own }).edit.added.map(({ adopt }) => adopt);
    assert.deepEqual(added({}), [false]);
    assert.deepEqual(added({ adopts: false }), [undefined]);
    assert.deepEqual(added({ set: [{ path: ["adopt"], value: true }] }), [true]);
    assert.deepEqual(added({ defaults: [{ path: ["adopt"], value: true }] }), [true]);
    assert.deepEqual(plan(roster("ada"), [student("ada")], { adopts: true }).edit, nothing);
  });

  it("tells all mistakes in the cells that are used, with their lines", () => {
    const text =
      'name,email,note\n=1+1,ada@x.org,=x\nBob,,-\n@sum,Ada@X.org,+41\n-,"+1",\n-1|cmd,eve@x.org,\n-5,dan@x.org,\nFay,2.02312E+11,\nGus,"2,02312E+11",\nHal,2E3,\n#N/A,i@x.org\n#REF!,j@x.org\n#NV,k@x.org\n';
    const { mistakes } = plan(text, [], { name: ["name"] });
    assert.deepEqual(
      mistakes.map(({ file, line, path, message }) => `${file}:${line} ${path}: ${message}`),
      [
        'r.csv:2 name: "=1+1" looks like a formula; save the sheet with values only',
        "r.csv:3 email: is empty: nobody can be matched",
        'r.csv:4 name: "@sum" looks like a formula; save the sheet with values only',
        'r.csv:4 email: "Ada@X.org" is on line 2 already; each person has one line',
        'r.csv:5 email: "+1" looks like a formula; save the sheet with values only',
        'r.csv:6 name: "-1|cmd" looks like a formula; save the sheet with values only',
        'r.csv:8 email: "2.02312E+11" is a number that a spreadsheet has cut short; format the column as text',
        'r.csv:9 email: "2,02312E+11" is a number that a spreadsheet has cut short; format the column as text',
        'r.csv:11 name: "#N/A" is what a spreadsheet writes where a formula fails',
        'r.csv:12 name: "#REF!" is what a spreadsheet writes where a formula fails',
        'r.csv:13 name: "#NV" is what a spreadsheet writes where a formula fails',
      ],
    );
  });

  it("a roster's plan can't tell members apart who share what is matched", () => {
    const both = plan("n\ncs101\n", [student("ada"), student("bob")], {
      match: { path: ["labels", "course"], column: "n" },
    });
    assert.deepEqual(
      both.mistakes.map(({ message }) => message),
      ['"cs101" is the labels.course of several members: ada, bob; tell them apart by a label in --set'],
    );
  });
});

describe("members who are missing from a roster", () => {
  const staff = { member: "tutor", type: "user", labels: { course: "cs101" } };
  const before = [student("ada"), student("bob"), staff, student("eve", { labels: { course: "cs102" } })];
  const missing = (leavers: Leavers, entries: readonly ListedEntry[] = before) =>
    plan(roster("ada"), entries, { leavers });

  it("missing members are those with its labels and type, and stay as they are by default", () => {
    const { missing: found, edit } = missing({ kind: "list" });
    assert.deepEqual([found.names, found.imported, edit], [["bob"], 2, nothing]);
    assert.deepEqual(plan(roster("ada"), before, { set: [] }).missing, { imported: 0, names: [], changes: [] });
  });

  it("missing members are suspended, or get a last day, once", () => {
    const suspended = student("bob", { suspended: true });
    const expiring = student("bob", { expires: "2026-12-26" });
    for (const [leavers, after] of [
      [{ kind: "suspend" }, suspended],
      [{ kind: "expire", on: "2026-12-26" }, expiring],
    ] as const) {
      assert.deepEqual(missing(leavers).edit, { added: [], changed: new Map([["bob", after]]) });
      assert.deepEqual(missing(leavers, [student("ada"), after]).edit, nothing);
    }
    // The next day, the last day does not move on.
    assert.deepEqual(missing({ kind: "expire", on: "2026-12-27" }, [student("ada"), expiring]).edit, nothing);
    const later = student("bob", { expires: "2027-07-31" });
    assert.deepEqual(missing({ kind: "expire", on: "2026-12-26" }, [later]).edit.changed, new Map([["bob", expiring]]));
  });

  it("missing members have left already if they are suspended or expired", () => {
    const left = [student("a", { suspended: true }), student("b", { expires: "2026-11-25" })];
    const still = student("c", { expires: today });
    assert.deepEqual(missing({ kind: "list" }, [...left, still]).missing.names, ["c"]);
  });

  it("missing members may be a tenth of those who came with it, or as many as is said", () => {
    const of = (imported: number, gone: number) => ({ imported, names: Array<string>(gone).fill("x"), changes: [] });
    assert.deepEqual(
      [of(300, 30), of(300, 31), of(9, 1), of(10, 1), of(0, 0)].map((one) => isShrunk(one, undefined)),
      [false, true, true, false, false],
    );
    assert.deepEqual(
      [of(300, 31), of(300, 32)].map((one) => isShrunk(one, 31)),
      [false, true],
    );
    assert.equal(isShrunk(of(300, 1), 0), true);
  });
});
