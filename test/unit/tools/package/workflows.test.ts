import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { projectFiles } from "../../../../commands/init/files.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { projectWorkflow, writeProjectWorkflows } from "../../../../tools/package/workflows.ts";

describe("the package's workflows for a project", () => {
  let folder = "";
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "kubecamp-workflows-"));
    await writeProjectWorkflows(repository, folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  const textOf = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");

  it("runs nothing that a project of kubecamp init has not", () => {
    const files = projectFiles(
      "camp",
      { host: "apps.example.org", route: { controller: "traefik" }, clientId: "kubernetes", members: [] },
      { version: "1.0.0", node: ">=22.18" },
    );
    const { scripts } = JSON.parse(files["package.json"] ?? "") as { scripts: Record<string, string> };
    const workflows = readdirSync(join(folder, "workflows"));
    assert.deepEqual(workflows.sort(), ["drift.yml", "preview.yml", "up.yml"]);
    const texts = workflows.map((name) => textOf("workflows", name));
    const named = texts.flatMap((text) => [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = ""]) => name));
    assert.deepEqual([...new Set(named)], Object.keys(scripts));
    for (const text of texts) {
      assert.doesNotMatch(text, /(?<!node_modules\/kubecamp\/)bin\/kubecamp/);
      assert.ok(Object.keys(parse(text).jobs).length > 1);
    }
  });

  it("has the actions and scripts that the workflows use", () => {
    const texts = readdirSync(join(folder, "workflows")).map((name) => textOf("workflows", name));
    const used = texts.flatMap((text) =>
      [...text.matchAll(/\.github\/((?:scripts|actions)\/[\w.-]+)/g)].map(([, path = ""]) => path),
    );
    assert.ok(used.length > 5);
    for (const path of new Set(used)) {
      assert.doesNotThrow(() => textOf(path.startsWith("actions/") ? `${path}/action.yml` : path), path);
    }
  });

  it("refuses a workflow that no longer has what is to change", () => {
    assert.throws(() => projectWorkflow("jobs: {}", [["npm run lint", ""]]), /no 'npm run lint'/);
  });
});
