import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { refusal } from "../../../components/gate/gate.ts";
import { invariants } from "../../../components/gate/invariants.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";

describe("docs/reference/policy-gate.md", () => {
  const page = () => readFile(join(repository, "docs/reference/policy-gate.md"), "utf8");

  it("has every invariant in its table, in the words of the code, and no other", async () => {
    const rows = [...(await page()).matchAll(/^\| `([-a-z]+)` \| (.+) \|$/gm)].map(([, name, text]) => [name, text]);
    assert.deepEqual(rows, Object.entries(invariants));
  });

  it("shows what a run is stopped with", async () => {
    const reported = refusal([
      {
        member: "bob",
        object: "Role bob/kubecamp-edit",
        field: "rules[0].verbs",
        message: '"*" is a wildcard',
        invariant: "no-wildcards",
      },
      {
        member: "bob",
        object: "Namespace bob",
        field: "metadata.name",
        message: "there is no ResourceQuota in it",
        invariant: "quota",
      },
    ]);
    assert.ok((await page()).includes(`\`\`\`\nerror: ${reported}\n\`\`\``), reported);
  });
});
