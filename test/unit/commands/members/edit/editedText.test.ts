import assert from "node:assert/strict";
import fc from "fast-check";
import type { ListedEntry } from "../../../../../commands/members/edit/assignments.ts";
import type { ListEdit } from "../../../../../commands/members/edit/editedText.ts";
import { editedText, type ListKind } from "../../../../../commands/members/edit/editedText.ts";
import { membersSource, stackSource } from "../../../../../config/sources/sources.ts";

const list = `# yaml-language-server: $schema=./schema/members.schema.json

# Staff
- member: ada      # runs the course
  type: "admin"
  labels: { course: cs101 }

# Students, by name
-   member: 'bob'
    # on leave till May
    suspended: true
    labels:
        course: cs101    # their first
        team: red
    type: user
    # bob's last words
- { member: carol, type: user,   maxCPUm: 500 } # in braces
# the end
`;

const entries = (text: string, kind: ListKind): ListedEntry[] => {
  const { raw, mistakes } = kind === "stack" ? stackSource("f.yaml", text) : membersSource("f.yaml", text);
  assert.deepEqual(mistakes, []);
  return (raw.members ?? []) as ListedEntry[];
};
const nameOf = (entry: ListedEntry) => String(entry.member);

/** The text edited, checked to have the values that were wanted. */
function edited(
  text: string,
  changed: Record<string, ListedEntry | undefined>,
  added: ListedEntry[] = [],
  kind?: ListKind,
) {
  const of = kind ?? "members";
  const before = new Map(entries(text, of).map((entry) => [nameOf(entry), entry]));
  const edit: ListEdit = { changed: new Map(Object.entries(changed)), added };
  const result = editedText(text, of, before, edit)?.text ?? "";
  const wanted = [...before.values()].flatMap((entry) =>
    nameOf(entry) in changed ? (changed[nameOf(entry)] ?? []) : entry,
  );
  assert.deepEqual(entries(result, of), [...wanted, ...added], result);
  return result;
}

/** Lines of a text that another lacks, and the other way round. */
function lineChanges(before: string, after: string): { gone: string[]; came: string[] } {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return { gone: old.filter((line) => !now.includes(line)), came: now.filter((line) => !old.includes(line)) };
}

const bobsLines = /- {3}member: 'bob'[\s\S]*last words\n/;
const [ada = {}, bob = {}, carol = {}] = entries(list, "members");

describe("editing a list of members", () => {
  it("touches no line of other entries, and gives a changed one the library's form", () => {
    const after = edited(list, {
      ada: { ...ada, type: "user", expires: "2026-12-31", labels: { course: "cs101", role: "yes" } },
      carol: { ...carol, labels: { course: "cs101" } },
    });
    assert.deepEqual(lineChanges(list, after), {
      gone: [
        "- member: ada      # runs the course",
        '  type: "admin"',
        "  labels: { course: cs101 }",
        "- { member: carol, type: user,   maxCPUm: 500 } # in braces",
      ],
      came: [
        "- member: ada # runs the course",
        '  type: "user"',
        '  labels: { course: cs101, role: "yes" }',
        "  expires: 2026-12-31",
        "- { member: carol, type: user, maxCPUm: 500, labels: { course: cs101 } } # in braces",
      ],
    });
  });

  it("takes out a key with its line, and leaves the comment above it", () => {
    const { suspended: _, ...resumed } = bob;
    const form = `- member: 'bob'
  # on leave till May
  labels:
      course: cs101 # their first
      team: red
  type: user
  # bob's last words
`;
    assert.equal(edited(list, { bob: resumed }), list.replace(bobsLines, form));
  });

  it("takes out an entry with the comments inside, and leaves those around it", () => {
    const after = edited(list, { bob: undefined });
    assert.equal(after, list.replace(bobsLines, ""));
    assert.equal(edited(list, { carol: undefined }), list.replace(/- \{ member: carol.*\n/, ""));
  });

  it("names the comments that would be lost although what they stand beside stays", () => {
    const lost = (text: string, wanted: ListedEntry) => {
      const [before = {}] = entries(text, "members");
      const name = nameOf(before);
      const edit = { changed: new Map([[name, wanted]]), added: [] };
      return editedText(text, "members", new Map([[name, before]]), edit)?.lostComments;
    };
    const listed =
      "- member: a\n  groups:\n    # of the first term\n    - x # main\n    - 'y # z'\n  # theirs\n  type: user # b\n";
    assert.deepEqual(lost(listed, { member: "a", groups: ["x", "z"], type: "user" }), [4]);
    // A key goes with the comments on its lines, and those above it stay.
    assert.deepEqual(lost(listed, { member: "a", type: "user" }), []);
    assert.deepEqual(lost(listed, { member: "a", groups: ["x", "y # z"], type: "admin" }), []);
    const value = "- member: a\n  subject: |\n    # part of it\n  type: user\n";
    assert.deepEqual(lost(value, { member: "a", subject: "b", type: "user" }), []);
  });

  it("adds entries at the end, in the form of the last one", () => {
    const dave = { type: "user", member: "dave", labels: { course: "cs101" }, subject: "a, b" };
    const braced = '- { member: dave, type: user, labels: { course: cs101 }, subject: "a, b" }';
    assert.equal(edited(list, {}, [dave]), list.replace("# the end", `${braced}\n# the end`));
    assert.equal(
      edited("- member: ada\n  type: admin", {}, [dave]),
      "- member: ada\n  type: admin\n- member: dave\n  type: user\n  labels:\n    course: cs101\n  subject: a, b\n",
    );
  });

  it("begins a list that is empty, and empties one", () => {
    const dave = { member: "dave", type: "user" };
    const stack = (members: string) => `config:\n  kubecamp:members:${members}\n  kubecamp:contact: me\n`;
    const entry = "\n    - member: dave\n      type: user";
    assert.equal(edited(stack(" []"), {}, [dave], "stack"), stack(entry));
    assert.equal(edited(stack(" []   # nobody yet"), {}, [dave], "stack"), stack(`   # nobody yet${entry}`));
    assert.equal(
      edited(stack(` # ours\n    # all${entry}`), { dave: undefined }, [], "stack"),
      stack(" [] # ours\n    # all"),
    );
    assert.equal(edited("members:", {}, [dave]), "members:\n  - member: dave\n    type: user\n");
    for (const empty of ["", "[]\n"]) {
      assert.equal(edited(empty, {}, [dave]), "- member: dave\n  type: user\n");
    }
    assert.equal(edited("# nobody yet\n", {}, [dave]), "# nobody yet\n- member: dave\n  type: user\n");
    assert.equal(edited("- { member: a, type: user }\n# end\n", { a: undefined }), "[]\n# end\n");
    assert.equal(editedText("config: {}\n", "stack", new Map(), { changed: new Map(), added: [dave] }), undefined);
  });

  it("edits the operator's documents, in each copy of them", () => {
    const copy = (namespace: string, type: string) =>
      `apiVersion: crds.yadiary.net/v1
kind: Members
metadata: { namespace: ${namespace} }
spec:
  members:
  - member: bob # ${namespace}
    type: ${type}
`;
    const both = (type: string) => `${copy("bob", type)}---\n${copy("carol", type)}`;
    assert.equal(edited(both("user"), { bob: { member: "bob", type: "admin" } }), both("admin"));
    const listed = "kind: List\nitems:\n- apiVersion: crds.yadiary.net/v1\n  kind: Members\n  spec:\n    members: []\n";
    assert.match(edited(listed, {}, [ada]), / {4}members:\n {4}- member: ada\n/);
  });

  it("keeps anchors, and gives an entry its own value instead of a shared one", () => {
    const text = `- &first
  member: a
  type: user
  labels: &labels { course: cs101 }
- { <<: *first, member: b }
- member: c
  type: user
  labels: *labels
`;
    const after = edited(text, {
      b: { member: "b", type: "admin", labels: { course: "cs101" } },
      c: { member: "c", type: "user", labels: { course: "cs102" } },
    });
    assert.equal(
      after,
      text.replace("member: b }", "member: b, type: admin }").replace(" *labels\n", "\n    course: cs102\n"),
    );
  });

  it("writes a list in brackets in the library's form", () => {
    const text = "[{ member: ann }, { member: ben },\n { member: cy }] # all\n";
    assert.equal(edited(text, { ann: undefined }), "[ { member: ben }, { member: cy } ] # all\n");
    const config = "config: { kubecamp:members: [] } # all\n";
    assert.equal(edited(config, {}, [{ member: "cy" }], "stack"), config.replace("[]", "[ { member: cy } ]"));
  });

  it("ends new lines as the file does", () => {
    const text = "- member: a\r\n  type: user\r\n";
    assert.equal(edited(text, { a: { member: "a", type: "user", suspended: true } }), `${text}  suspended: true\r\n`);
  });

  it("puts quotes around what Pulumi's reader takes for another value", () => {
    const labels = { a: "1_000", b: "off", c: "2026-12-31", d: "0123", e: "1e3", f: "~" };
    const text = edited("- member: a\n  type: user\n", { a: { member: "a", type: "user", labels } });
    for (const value of Object.values(labels)) {
      assert.match(text, new RegExp(`: "${value}"`));
    }
  });

  it("gives what was wanted for any values, in any form of list", () => {
    const value = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom("a: b", "# no comment", "- x", "{ y }", "2026-12-31", "'", '"', "null", " blank ", "a,b"),
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("course", "team", "x/y", "42"), fc.string({ maxLength: 6 }), { maxKeys: 3 }),
    );
    const keys = fc.constantFrom("type", "labels", "subject", "groups", "expires", "maxCPUm");
    const change = fc.dictionary(keys, value, { maxKeys: 4, noNullPrototype: true });
    fc.assert(
      fc.property(change, change, fc.boolean(), change, (ofAda, ofBob, remove, added) => {
        const fixed = (entry: ListedEntry) => JSON.parse(JSON.stringify(entry)) as ListedEntry;
        const once = edited(
          list,
          {
            ada: fixed({ member: "ada", ...ofAda }),
            bob: fixed({ ...ofBob, member: "bob" }),
            ...(remove ? { carol: undefined } : {}),
          },
          [fixed({ ...added, member: "zoe" })],
        );
        edited(once, { bob: fixed({ member: "bob", ...ofAda }), zoe: undefined });
      }),
      { numRuns: 40 },
    );
  });
});
