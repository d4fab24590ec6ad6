import assert from "node:assert/strict";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { readStack } from "../../../commands/common/stackFile.ts";
import { checkFiles } from "../../../commands/members/checks.ts";
import { firstApp } from "../../../commands/members/invite/firstApp.ts";
import { repository } from "../../../sandbox/paths.ts";
import { membersFileJsonSchema, stackFileJsonSchema } from "../../../tools/reference/jsonSchema.ts";

const folder = join(repository, "docs/examples");
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const stacks = { class: 63, "gpu-lab": 8, company: 200, jupyterhub: 4 };

describe("the stacks in docs/examples", () => {
  it("names the stacks in docs/examples on their page, each with its members", () => {
    const names = Object.keys(stacks);
    const files = names.flatMap((name) => [`Pulumi.${name}.yaml`, `members.${name}.yaml`]).sort();
    assert.deepEqual(globSync("*.yaml", { cwd: folder }).sort(), files);
    const page = textOf("README.md");
    assert.deepEqual(
      files.filter((file) => !page.includes(`](${file})`)),
      [],
    );
  });

  let project: string;
  before(() => {
    project = mkdtempSync(join(tmpdir(), "kubecamp-examples-"));
    cpSync(join(repository, "Pulumi.yaml"), join(project, "Pulumi.yaml"));
    cpSync(folder, project, { recursive: true });
  });
  after(() => rmSync(project, { recursive: true }));

  for (const [name, members] of Object.entries(stacks)) {
    describe(name, () => {
      const [own, list] = [`Pulumi.${name}.yaml`, `members.${name}.yaml`];

      it(`${name} has no mistakes, and nothing to warn of`, () => {
        const checks = checkFiles([own], project, "2026-11-26");
        assert.deepEqual(
          checks.map((check) => [check.file, check.stack, check.members, check.mistakes, check.warnings]),
          [[list, name, members, [], []]],
        );
      });

      it(`${name} invites its members with a first app whose image is there`, () => {
        const { settings, members: all } = readStack(name, project).configuration;
        const apps = all.map((member) => firstApp(member, settings));
        assert.deepEqual(
          apps.filter((first) => first === undefined || !("app" in first) || "standIn" in first.app),
          [],
        );
      });

      it(`${name} is valid against the schemas that its first lines name, once it is copied`, () => {
        for (const [file, schema, json] of [
          [own, "stack", stackFileJsonSchema()],
          [list, "members", membersFileJsonSchema()],
        ] as const) {
          const text = textOf(file);
          const [first] = text.split("\n");
          assert.equal(first, `# yaml-language-server: $schema=./schema/${schema}.schema.json`);
          const { error } = z.fromJSONSchema(JSON.parse(JSON.stringify(json))).safeParse(parse(text));
          assert.deepEqual(error?.issues ?? [], []);
        }
      });
    });
  }
});
