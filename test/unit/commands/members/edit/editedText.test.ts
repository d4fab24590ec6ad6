import assert from "node:assert/strict";
import fc from "fast-check";
import { editedText, type ListEdit } from "../../../../../commands/members/edit/editedText.ts";
import type { Entry } from "../../../../../commands/members/edit/entryText.ts";
import type { ListKind } from "../../../../../commands/members/edit/memberNodes.ts";
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

const entries = (text: string, kind: ListKind): Entry[] => {
  const { raw, mistakes } = kind === "stack" ? stackSource("f.yaml", text) : membersSource("f.yaml", text);
  assert.deepEqual(mistakes, []);
  return (raw.members ?? []) as Entry[];
};
const nameOf = (entry: Entry) => String(entry.member);

/** The text edited, checked to have the values that were wanted. */
function edited(text: string, changed: Record<string, Entry | undefined>, added: Entry[] = [], kind?: ListKind) {
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

const [ada = {}, bob = {}, carol = {}] = entries(list, "members");

describe("editing a list of members", () => {
  it("takes the first ones out of brackets and braces, with their commas", () => {
    const inBrackets = "[{ member: ann }, { member: ben }, { member: cy, type: user, labels: {} }]\n";
    assert.equal(edited(inBrackets, { ann: undefined, ben: undefined }), "[{ member: cy, type: user, labels: {} }]\n");
    assert.equal(edited(inBrackets, { ben: undefined, cy: undefined }), "[{ member: ann }]\n");
    const inBraces = "- { suspended: true, type: user, member: ann }\n";
    assert.equal(edited(inBraces, { ann: { member: "ann" } }), "- { member: ann }\n");
  });

  it("touches no other line where a value changes, and keeps its quotes and comment", () => {
    assert.deepEqual(lineChanges(list, edited(list, { ada: { ...ada, type: "user" } })), {
      gone: ['  type: "admin"'],
      came: ['  type: "user"'],
    });
    const team = { ...bob, labels: { course: "cs102", team: "red" } };
    assert.deepEqual(lineChanges(list, edited(list, { bob: team })), {
      gone: ["        course: cs101    # their first"],
      came: ["        course: cs102    # their first"],
    });
  });

  it("adds a key after the entry's others, in the entry's form", () => {
    const after = edited(list, {
      ada: { ...ada, suspended: true, expires: "2026-12-31", labels: { course: "cs101", role: "yes" } },
      bob: { ...bob, groups: ["a", "b"] },
      carol: { ...carol, labels: { course: "cs101" } },
    });
    assert.deepEqual(lineChanges(list, after), {
      gone: ["  labels: { course: cs101 }", "- { member: carol, type: user,   maxCPUm: 500 } # in braces"],
      came: [
        '  labels: { course: cs101, role: "yes" }',
        "  suspended: true",
        "  expires: 2026-12-31",
        "    groups:",
        "      - a",
        "      - b",
        "- { member: carol, type: user,   maxCPUm: 500, labels: { course: cs101 } } # in braces",
      ],
    });
  });

  it("takes a key out with its line, and leaves the comment above it", () => {
    const { suspended, ...resumed } = bob;
    assert.equal(suspended, true);
    assert.equal(edited(list, { bob: resumed }), list.replace("    suspended: true\n", ""));
    const { maxCPUm: _, ...rest } = carol;
    assert.deepEqual(lineChanges(list, edited(list, { carol: rest })).came, [
      "- { member: carol, type: user } # in braces",
    ]);
  });

  it("names the comments that would be lost although what they stand beside stays", () => {
    const lost = (text: string, wanted: Entry) => {
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
    const first = "- type: user # for now\n  # the name\n  member: a\n";
    assert.deepEqual(lost(first, { member: "a" }), [2]);
    const braces = "- { member: a, # the name\n    type: user, # for now\n    suspended: true }\n";
    assert.deepEqual(lost(braces, { member: "a", suspended: true }), [1]);
    assert.deepEqual(lost(braces, { member: "a", type: "admin", suspended: true }), []);
    const value = "- member: a\n  subject: |\n    # part of it\n  type: user\n";
    assert.deepEqual(lost(value, { member: "a", subject: "b", type: "user" }), []);
    const nested = "- member: a\n  labels:\n    course: x # first\n    team: red\n";
    assert.deepEqual(lost(nested, { member: "a", labels: { team: "red" } }), [3]);
    assert.deepEqual(lost(nested, { member: "a", labels: { course: "y", team: "red" } }), []);
  });

  it("takes an entry out with the comments inside, and leaves those around it", () => {
    const after = edited(list, { bob: undefined });
    assert.equal(after, list.replace(/- {3}member: 'bob'[\s\S]*last words\n/, ""));
    assert.match(after, /# Students, by name\n- \{ member: carol/);
    assert.equal(edited(list, { carol: undefined }), list.replace(/- \{ member: carol.*\n/, ""));
  });

  it("adds entries at the end, in the form of the last one", () => {
    const dave = { type: "user", member: "dave", labels: { course: "cs101" }, subject: "a, b" };
    const braced = '- { member: dave, type: user, labels: { course: cs101 }, subject: "a, b" }';
    assert.equal(edited(list, {}, [dave]), list.replace("# the end", `${braced}\n# the end`));
    const block = "- member: ada\n  type: admin";
    assert.equal(
      edited(block, {}, [dave, { member: "erin", type: "user" }]),
      `${block}
- member: dave
  type: user
  labels:
    course: cs101
  subject: "a, b"
- member: erin
  type: user
`,
    );
  });

  it("begins a list that is empty, and empties one", () => {
    const dave = { member: "dave", type: "user" };
    const stack = (members: string) => `config:\n  kubecamp:members:${members}\n  kubecamp:contact: me\n`;
    const full = stack("\n    - member: dave\n      type: user");
    assert.equal(edited(stack(" []"), {}, [dave], "stack"), full);
    assert.equal(
      edited(stack(" []   # nobody yet"), {}, [dave], "stack"),
      full.replace("members:\n", "members:   # nobody yet\n"),
    );
    assert.equal(edited("members:", {}, [dave]), "members:\n  - member: dave\n    type: user\n");
    assert.equal(edited("---\n# nobody\n", {}, [dave]), "---\n# nobody\n- member: dave\n  type: user\n");
    assert.equal(edited("", {}, [dave]), "- member: dave\n  type: user\n");
    assert.equal(edited("# nobody yet\n", {}, [dave]), "# nobody yet\n- member: dave\n  type: user\n");
    assert.equal(edited("[]\n", {}, [dave]), "- member: dave\n  type: user\n");
    assert.equal(edited(full, { dave: undefined }, [], "stack"), stack("\n    []"));
    assert.equal(edited("- { member: a, type: user }\n# end\n", { a: undefined }), "[]\n# end\n");
    assert.equal(editedText("config: {}\n", "stack", new Map(), { changed: new Map(), added: [dave] }), undefined);
  });

  it("replaces one and adds another at once", () => {
    assert.equal(edited("- member: a\n  type: user\n", { a: undefined }, [ada]).split("\n")[0], "- member: ada");
  });

  it("edits the operator's documents, in each copy of them", () => {
    const copy = (namespace: string, type: string) =>
      `apiVersion: crds.yadiary.net/v1
kind: Members
metadata: { namespace: ${namespace} }
spec:
  members:
  - member: bob     # ${namespace}
    type: ${type}
`;
    const both = (type: string) => `${copy("bob", type)}---\n${copy("carol", type)}`;
    assert.equal(edited(both("user"), { bob: { member: "bob", type: "admin" } }), both("admin"));
    const listed = "kind: List\nitems:\n- apiVersion: crds.yadiary.net/v1\n  kind: Members\n  spec:\n    members: []\n";
    assert.match(edited(listed, {}, [ada]), / {4}members:\n {6}- member: ada\n/);
  });

  it("keeps anchors and aliases, and gives an entry its own value instead of a shared one", () => {
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
      text.replace("member: b }", "member: b, type: admin }").replace("*labels\n", "{ course: cs102 }\n"),
    );
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
        const fixed = (entry: Entry) => JSON.parse(JSON.stringify(entry)) as Entry;
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
      { numRuns: 300 },
    );
  });
});
