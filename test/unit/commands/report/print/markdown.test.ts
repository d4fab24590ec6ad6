import assert from "node:assert/strict";
import type { Report } from "../../../../../commands/report/build.ts";
import { cell, escaped, fenceFor, markdownOf } from "../../../../../commands/report/print/markdown.ts";
import { textOf } from "../../../../../commands/report/show.ts";
import { numbered } from "../../../cluster/leaving.ts";
import { error, home, leaving, pending, reportOfEdit, reportOn } from "../previews.ts";

const user = (member: string, more: object = {}) => ({ member, type: "user", ...more });
const nothing: Report = reportOn([]);

const example = () =>
  reportOfEdit({
    before: { members: [user("ann"), user("bob")] },
    after: { members: [user("bob", { maxCPUm: 1500, images: ["nginx"] }), user("cem")] },
    open: [[], ["bob"]],
    warnings: [
      leaving("ann", home(2, { name: "data", storage: "1Gi" })),
      pending("cem", "no Service 'cem-svc'"),
      { code: "expires", member: "bob", facts: { lastDay: "2026-06-20", days: 5 } },
    ],
  });

describe("a report in Markdown", () => {
  it("begins a report with who gets in and what is lost, and gives each group a table", async () => {
    assert.equal(
      markdownOf(await example()),
      `<!-- kubecamp report: dev -->
### kubecamp: stack dev

**1 joins, 1 leaves, 1 changes, 1 route opens, 1 pending**

> [!IMPORTANT]
> **Access.** Given by created or changed objects:
>
> | member | where | who |
> |---|---|---|
> | cem | role 'edit' at home, role 'view' elsewhere | oidc:cem |

> [!CAUTION]
> **Leaving: 1 namespace is deleted, with everything in it. That can't be undone.** A new name is a new member: a renamed member loses everything too.
>
> | member | type | what goes |
> |---|---|---|
> | ann | user | namespace with 2 unfinished pods, 1 PersistentVolumeClaim (data 1Gi) |

#### Joining (1)

| member | type | gets | path |
|---|---|---|---|
| cem | user | opened to oidc:cem; CPU 500m, memory 500 MiB, pods 50, PVCs 5, storage of all PVCs 5000 MiB | pending: no Service 'cem-svc' |

#### Changing (1)

| member | what changes |
|---|---|
| bob | images: + nginx<br>CPU 500m → 1.5 |

#### Routes (1)

| member | route | where | why |
|---|---|---|---|
| bob | opens | <https://camp.example.org/bob/> |  |

<details><summary>Pending (1)</summary>

Paths that open with the first 'pulumi up' that finds a fit Service:

| member | why |
|---|---|
| cem | no Service 'cem-svc' |

</details>

<details><summary>Warnings</summary>

\`\`\`text
Expires soon: bob on 2026-06-20 (in 5 days)
\`\`\`

</details>
`,
    );
  });

  it("says in red why a preview failed", () => {
    assert.equal(
      markdownOf(reportOn([], error("A mistake.\n  members[0]: ```"))),
      `<!-- kubecamp report: dev -->
### kubecamp: stack dev

**The preview failed.**

> [!CAUTION]
> **Errors: The preview failed, so this is not all that would happen.**
>
> \`\`\`\`text
> A mistake.
>   members[0]: \`\`\`
> \`\`\`\`
`,
    );
  });

  it("tells what a preview did not look at, above everything else", () => {
    const report: Report = {
      ...nothing,
      offline: [{ name: "routes", text: "any" }],
      unchecked: [{ name: "Pods", text: "" }],
      changing: [{ member: "bob", differences: [{ what: "CPU" }] }],
    };
    const order = /\[!WARNING\]\n> \*\*Offline\.\*\*[\s\S]*> \| routes \| any \|\n[\s\S]*Not checked[\s\S]*\| bob \|/;
    assert.match(markdownOf(report), order);
  });

  for (const [text, shown] of [
    ["a|b", "a&#124;b"],
    ["`rm` *x* _y_ ~z~ [l](u)", "\\`rm\\` \\*x\\* \\_y\\_ \\~z\\~ \\[l\\](u)"],
    ["<b>&amp;</b>", "\\<b\\>\\&amp;\\</b\\>"],
    ["ask @ada, or (@org/team)", "ask @&#8203;ada, or (@&#8203;org/team)"],
    ["＠ada", "＠&#8203;ada"],
    ["oidc:ada@example.org", "oidc:ada@example.org"],
    ["see #12, a/b#3 and GH-4", "see #&#8203;12, a/b#&#8203;3 and GH-&#8203;4"],
    ["two\nlines", "two<br>lines"],
    // To Markdown, any of these ends a line, and with it a table or the red block.
    ["three\r# lines\r\nof text", "three<br># lines<br>of text"],
    ["2 PersistentVolumeClaims (www.example.org 1Gi)", "2 PersistentVolumeClaims (www&#8203;.example.org 1Gi)"],
    ["$x$ \\", "\\$x\\$ \\\\"],
  ] as const) {
    it(`reports ${JSON.stringify(text)} as written, and notifies nobody`, () => assert.equal(escaped(text), shown));
  }

  it("links a text in Markdown that is an address and nothing else", () => {
    assert.equal(cell("https://a.test/b_c/ → https://a.test/d/"), "<https://a.test/b_c/> → <https://a.test/d/>");
    assert.equal(cell("https://a.test/|<b>"), "https://a.test/&#124;\\<b\\>");
  });

  it("fences code in Markdown with more backticks than the code has", () =>
    assert.equal(fenceFor(["```` x", "`"]), "`````"));

  it("begins a comment with a marker that no stack's name can end", () => {
    const report = reportOn([], {}, { stack: "--> <b>", failure: "x" });
    assert.match(markdownOf(report), /^<!-- kubecamp report: --b -->\n### kubecamp: stack --\\> \\<b\\>\n/);
  });
});

describe("a report on hundreds of everything", () => {
  const names = numbered(300);
  const long = "<@ada> | `x` ".repeat(50);
  const all: Report = {
    ...nothing,
    errors: names.map((name) => `${name}: \`\`\` @ada`),
    failed: true,
    leaving: names.map((member) => ({ member, type: "user", namespaceDeleted: true, lost: long, objects: 9 })),
    changing: names.map((member) => ({ member, differences: [{ what: "CPU", from: long, to: "2" }] })),
    pending: names.map((name) => ({ name, text: long })),
    shared: names.map((object) => ({ object, change: "made", differences: [] })),
    offline: names.map((name) => ({ name, text: "<@ada> | `x`" })),
    warnings: names.map((name) => `${name} ${"`".repeat(50)}`),
  };
  const rowsIn = (text: string) => text.split("\n").filter((line) => /^(> )?(\| )?kim-\d/.test(line)).length;

  it("fits a report on hundreds of everything into a comment, with what is worst on top", () => {
    for (const maxLength of [8_000, 65_000]) {
      const text = markdownOf(all, { maxLength, attachment: "whole.md" });
      assert.ok(text.length <= maxLength && text.length > maxLength / 3, String(text.length));
      assert.match(text, /\n> \*\*Leaving: 300 namespaces are deleted/);
      const [, left, total] =
        /\*(\d+) of (\d+) rows have no room in a comment: all of them are in whole\.md\.\*/.exec(text) ?? [];
      assert.deepEqual([Number(total), Number(left)], [2_100, 2_100 - rowsIn(text)]);
    }
  });

  it("cuts a report, but never who gets in, and says how much is cut, and where that is", () => {
    // Ten of them stand in a cell, which is longer than other cells may be.
    const groups = Array.from({ length: 600 }, (_, at) => `group oidc:class-${at}-${"x".repeat(50)}`);
    const who = [...groups, "oidc:mallory"];
    const access = [{ member: "bob", where: ["role 'edit' at home"], who }];
    const changing = [{ member: "bob", differences: [{ what: "user names", added: who, removed: [] }] }];
    const text = markdownOf({ ...all, access, changing }, { maxLength: 65_000, attachment: "whole.md" });
    assert.ok(text.length <= 65_000);
    const letIn = [...text.matchAll(/\n> \| bob \| role 'edit' at home \| (.*) \|/g)].flatMap(([, some = ""]) =>
      some.split(", "),
    );
    assert.deepEqual(letIn, who);
    assert.match(text, /\| bob \| user names: \+ group oidc:class-0-x*, .*… \(\d{5} more characters\) \|/);
    // Three hundred each: what leavers lose, and why routes are pending; and what changes for bob.
    assert.match(
      text,
      /\n\*601 cells too long for a comment, and cut where it says '…': all of them are in whole\.md\.\*\n/,
    );
  });

  it("says loudly that more get in than a comment has room for", () => {
    const access = numbered(2_000).map((member) => ({
      member,
      where: ["role 'edit' at home"],
      who: [`oidc:${member}`],
    }));
    const text = markdownOf({ ...nothing, access }, { maxLength: 65_000, attachment: "whole.md" });
    assert.ok(text.length <= 65_000);
    assert.match(text, /\n> \*\d+ of 2000 rows are left out here\.\* \*\*Read them before you approve this\.\*\*\n/);
  });
});

describe("a report in a terminal", () => {
  it("fits a report into a terminal's 80 columns, with every word", async () => {
    const report = { ...(await example()), warnings: [numbered(20).join(" ")] };
    const text = textOf(report, 80);
    const words = (of: string) => of.split(/\s+/).sort();
    assert.deepEqual(words(text), words(textOf(report, undefined)));
    assert.deepEqual(
      text.split("\n").filter((line) => line.length > 80),
      [],
    );
    assert.match(text, /^Stack dev: 1 joins, 1 leaves,/);
    assert.match(text, /\n!! LEAVING\n1 namespace is deleted/);
    assert.match(text, /\nbob {5}images: \+ nginx\n {8}CPU 500m → 1\.5\n/);
  });

  it("prints no control character of a report to a terminal", () => {
    const report: Report = {
      ...nothing,
      warnings: ["\u001b[2Jx\u009b1m"],
      pending: [{ name: "bob\u0007", text: "a\nb" }],
    };
    const text = textOf(report, undefined);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    assert.match(text, /\nbob\? {4}a\n {8}b\n/);
  });
});
