import assert from "node:assert/strict";
import { readMembers } from "../../../../config/sources/membersFile.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { settingsPage } from "../../../../tools/reference/settingsPage.ts";

const members = (text: string) => readMembers("members.yaml", text).members;
const lines = (text: string) => mistakeLines(readMembers("members.yaml", text).mistakes);

const yasu = { member: "yasu", type: "admin" };
const bob = { member: "bob", type: "user" };

/** The operator's object, as a document. */
const object = (...entries: object[]) => `apiVersion: crds.yadiary.net/v1
kind: Members
metadata:
  name: members
  namespace: yasu
spec:
  members: ${JSON.stringify(entries)}
status:
  observed: 1
`;

/** Output of `kubectl get members -A -o yaml`. */
const kubectlList = (...objects: string[]) =>
  `apiVersion: v1\nkind: List\nmetadata:\n  resourceVersion: ""\nitems:\n${objects
    .map((text) => `- ${text.trimEnd().replaceAll("\n", "\n  ")}\n`)
    .join("")}`;

describe("a members file", () => {
  it("takes a plain list as a members file", () => {
    assert.deepEqual(members("- member: yasu\n  type: admin\n- { member: bob, type: user }\n"), [yasu, bob]);
  });

  it("takes the sample on the settings page as a members file, in both forms", () => {
    const [, section = ""] = /^## membersFile\n(.*?)^## /ms.exec(settingsPage()) ?? [];
    const samples = [...section.matchAll(/```yaml\n(?!config:)(.*?)```/gs)].map(([, sample = ""]) => sample);
    const first = { member: "alice", type: "admin" };
    const second = { member: "bob", type: "user" };
    assert.deepEqual(samples.map(members), [[first, second]]);
    assert.deepEqual(samples.flatMap(lines), []);
  });

  it("takes the operator's own object as a members file, whatever its version and status", () => {
    assert.deepEqual(members(object(yasu)), [yasu]);
    assert.deepEqual(members(object(yasu).replace("crds.yadiary.net/v1", "members.crds.yadiary.net/v1beta2")), [yasu]);
  });

  it("takes several documents as a members file, one list after the other, some of them empty", () => {
    const text = `---\n---\n- member: bob\n  type: user\n---\n${object(yasu)}---\n# the end\n`;
    assert.deepEqual(members(text), [bob, yasu]);
  });

  it("takes what kubectl prints of the operator's objects as a members file, each copy once", () => {
    const carol = { type: "user", member: "carol" };
    const again = object({ type: "admin", member: "yasu" }, bob, carol);
    assert.deepEqual(members(kubectlList(object(yasu, carol), again)), [yasu, carol, bob]);
  });

  it("keeps whoever is twice in an object, or differs between two, for the rule on names", () => {
    const other = { ...yasu, type: "user" };
    assert.deepEqual(members(kubectlList(object(yasu, yasu), object(yasu, other))), [yasu, yasu, other]);
    assert.deepEqual(members("- member: bob\n---\n- member: bob\n"), [{ member: "bob" }, { member: "bob" }]);
  });

  for (const text of ["", "[]", "members: []", object(), "kind: List\napiVersion: v1\nitems: []\n"]) {
    it(`takes ${JSON.stringify(text).slice(0, 40)} for an empty list of members`, () => {
      assert.deepEqual(readMembers("members.yaml", text).members, []);
      assert.deepEqual(lines(text), []);
    });
  }

  it("knows the lines of all that is in a members file", () => {
    const { placeOf } = readMembers(
      "members.yaml",
      `# people
- member: bob
  type: user

  route:
    path: /b
- { member: dora, type: user }
---
${kubectlList(object(yasu))}`,
    );
    const lineOf = (index: number, path: readonly string[]) => {
      const place = placeOf(index, path);
      return place?.document.lineOf(place.path);
    };
    const paths = [[], ["member"], ["type"], ["route", "path"], ["route", "host"], ["maxCPUm"]];
    const ofFirst = paths.map((path) => lineOf(0, path));
    assert.deepEqual(ofFirst, [2, 2, 3, 6, 5, 2]);
    assert.deepEqual([lineOf(1, ["type"]), lineOf(2, ["type"]), lineOf(3, [])], [7, 20, undefined]);
  });

  const version = "must be a version of crds.yadiary.net, such as crds.yadiary.net/v1";
  for (const [what, text, ...reported] of [
    [
      "another kind of object in a list",
      kubectlList(object(yasu), "apiVersion: v1\nkind: Pod\n", "metadata: {}\n"),
      '16: items[1].kind: "Pod" is no list of members; it takes kind: Members',
      "17: items[2].kind: is missing: must be Members",
      `17: items[2].apiVersion: is missing: ${version}`,
    ],
    [
      "Members of another API",
      "kind: Members\napiVersion: example.org/v1\n---\nkind: Members\n---\nkind: Members\napiVersion: evilcrds.yadiary.net/v1\n",
      `2: apiVersion: "example.org/v1" ${version}`,
      `4: apiVersion: is missing: ${version}`,
      `7: apiVersion: "evilcrds.yadiary.net/v1" ${version}`,
    ],
    [
      "misspelt keys around the list, which would look like nobody",
      "membres: []\n---\nkind: Members\napiVersion: crds.yadiary.net/v1\nspec:\n  member: []\nextra: 1\n",
      "1: membres: has no place here; did you mean 'members'?",
      "7: extra: has no place here",
      "6: spec.member: has no place here; did you mean 'members'?",
    ],
    [
      "anything else",
      "hello\n---\n5\n---\nmembers: bob\n---\nkind: Members\napiVersion: crds.yadiary.net/v1\nspec: 5\n",
      '1: "hello" is no list of members, nor the operator\'s kind: Members',
      "3: 5 is no list of members, nor the operator's kind: Members",
      '5: members: "bob" must be a list of members',
      "9: spec: 5 must be a map with members",
    ],
  ] as const) {
    it(`refuses a members file with ${what}`, () => {
      const expected = reported.map((line) => `members.yaml:${line}`);
      assert.deepEqual(lines(text), expected);
    });
  }
});
