import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { repository } from "../../../../sandbox/paths.ts";
import { membersFileJsonSchema, stackFileJsonSchema } from "../../../../tools/reference/jsonSchema.ts";
import { settingsPage } from "../../../../tools/reference/settingsPage.ts";

/**
 * Paths of the values that a JSON Schema refuses. zod reads the schema from its JSON, so that this tests the keywords in
 * the file, not the zod schema behind it.
 */
const marked = (schema: object) => {
  const validator = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));
  return (value: unknown): string[] => {
    const found = validator.safeParse(value);
    return found.success ? [] : [...new Set(found.error.issues.flatMap(pathsOf))].sort();
  };
};

const pathsOf = (issue: z.core.$ZodIssue): string[] => {
  if (issue.code === "invalid_union") {
    // A file is a list or a document: of the two, the branch whose type fits is the one that counts.
    const branch = issue.errors.find((issues) =>
      issues.every((it) => it.code !== "invalid_type" || it.path.length > 0),
    );
    return branch?.flatMap((it) => pathsOf({ ...it, path: [...issue.path, ...it.path] })) ?? [issue.path.join(".")];
  }
  const at = issue.path.join(".");
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => (at === "" ? key : `${at}.${key}`)) : [at];
};

describe("schema of a stack file", () => {
  const mistakes = marked(stackFileJsonSchema());
  const route = { "kubecamp:route": { host: "camp.example.org" } };
  const config = (settings: object) => ({ config: { ...route, ...settings } });

  for (const file of ["Pulumi.dev.yaml", "Pulumi.prod.yaml"]) {
    it(`takes ${file} as a stack file that points to its schema`, async () => {
      const text = await readFile(join(repository, file), "utf8");
      assert.equal(text.split("\n")[0], "# yaml-language-server: $schema=./schema/stack.schema.json");
      assert.deepEqual(mistakes(parse(text)), []);
    });
  }

  it("takes every example of the settings page as a stack file", () => {
    const examples = [...settingsPage().matchAll(/```yaml\n(config:[^`]*)```/g)].map(([, text = ""]) => parse(text));
    assert.equal(examples.length, 26);
    for (const example of examples) {
      assert.deepEqual(mistakes(config(example.config)), []);
    }
  });

  it("leaves alone Pulumi's own keys in a stack file, and other namespaces' settings", () => {
    const others = { encryptionsalt: "v1:x", secretsprovider: "passphrase", encryptedkey: "x", environment: ["aws"] };
    assert.deepEqual(mistakes({ ...others, ...config({ "pulumi:tags": { team: "infra" }, "aws:region": "x" }) }), []);
  });

  it("marks a misspelt setting of a stack file, at every depth", () => {
    const members = [{ member: "bob", type: "user", maxCPU: 1, route: { hots: "x.y" } }];
    const misspelt = { "kubecamp:memebers": [], "kubecamp:network": { internt: true }, "kubecamp:members": members };
    const paths = ["members.0.maxCPU", "members.0.route.hots", "memebers", "network.internt"];
    const expected = paths.map((path) => `config.kubecamp:${path}`);
    assert.deepEqual(mistakes(config(misspelt)), expected);
  });

  it("marks what is missing in a stack file", () => {
    assert.deepEqual(mistakes({}), ["config"]);
    assert.deepEqual(mistakes({ config: { "kubecamp:members": [{ type: "user" }] } }), [
      "config.kubecamp:members.0.member",
      "config.kubecamp:route",
    ]);
  });

  for (const [key, wrong] of [
    ["members", "alice"],
    ["memberTypes", { Student: {} }],
    ["budgets", [{ name: "cs101", over: { label: {} }, storageMiB: 1 }]],
    ["route", { host: "camp.example.org", path: "/people" }],
    ["network", { dnsPodLabels: { "bad key!": "x" } }],
    ["storage", { accessKeyId: "admin", secretAccessKey: "plain text" }],
    ["bucketKeys", { alice: { accessKeyId: "A", secretAccessKey: "plain text" } }],
    ["members", [{ member: "alice", type: "user", buckets: [{ name: "data", quotaMiB: 1 }] }]],
  ] as const) {
    it(`marks ${JSON.stringify(wrong).slice(0, 50)} as ${key} of a stack file`, () => {
      const [first, ...more] = mistakes(config({ [`kubecamp:${key}`]: wrong }));
      assert.match(first ?? "nothing", new RegExp(`^config\\.kubecamp:${key}`));
      assert.deepEqual(more, []);
    });
  }
});

describe("schema of a members file", () => {
  const mistakes = marked(membersFileJsonSchema());
  const bob = { member: "bob", type: "user" };
  const document = (spec: object) => ({ apiVersion: "crds.yadiary.net/v1", kind: "Members", spec });

  it("takes members.prod.yaml as a members file that points to its schema", async () => {
    const text = await readFile(join(repository, "members.prod.yaml"), "utf8");
    assert.equal(text.split("\n")[0], "# yaml-language-server: $schema=./schema/members.schema.json");
    assert.deepEqual(mistakes(parse(text)), []);
  });

  it("takes a plain list as a members file, and the operator's own documents", () => {
    const text = `
apiVersion: crds.yadiary.net/v1
kind: Members
metadata:
  name: members-sample
  labels: { team: infra }
spec:
  members:
    - member: alice
      type: admin
    - { member: bob, type: guest-user, maxCPUm: 500, maxMemoryMiB: 500, defaultCPUm: 100, defaultMemoryMB: 100 }
---
apiVersion: crds.yadiary.net/v1
kind: Members
spec: { members: [] }
`;
    assert.deepEqual(mistakes([bob]), []);
    const found = parseAllDocuments(text).map((it) => mistakes(it.toJS()));
    assert.deepEqual(found, [[], []]);
  });

  it("marks an entry's mistakes in a list of members and in the operator's documents", () => {
    const wrong = { ...bob, memmber: "x", expires: "2026-13-01", suspended: "yes" };
    const keys = ["expires", "memmber", "suspended"];
    const at = (place: string) => keys.map((key) => `${place}.${key}`);
    assert.deepEqual(mistakes([bob, wrong]), at("1"));
    assert.deepEqual(mistakes(document({ members: [wrong] })), at("spec.members.0"));
  });
});
