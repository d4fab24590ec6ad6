import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { MemberStatus } from "../../../../plan/findings/status.ts";
import { transcriptIn } from "../../../../scaffold/pictures/samples.ts";
import { membersTable } from "../../../../scaffold/sandbox/membersTable.ts";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

const textOf = (path: string) => readFileSync(join(repository, path), "utf8");

describe("docs/start/sandbox.md", () => {
  it("shows the members of Pulumi.dev.yaml in the table that the sandbox prints", () => {
    // As it is committed: README.md has readers add a member to theirs.
    const text = execFileSync("git", ["show", "HEAD:Pulumi.dev.yaml"], { cwd: repository, encoding: "utf8" });
    const { config } = parse(text) as {
      config: { "kubecamp:members": { member: string; type: string }[] };
    };
    const members = config["kubecamp:members"].map(({ member, type }): [string, MemberStatus] => {
      const reason = `no Service '${member}-svc' in namespace '${member}'`;
      const url = `https://camp.localhost/${member}/`;
      return [
        member,
        member === "alice"
          ? { type, namespace: member, state: "pending", reason }
          : { type, namespace: member, state: "ready", url },
      ];
    });
    const table = membersTable(Object.fromEntries(members));
    assert.ok(transcriptIn(textOf("docs/start/sandbox.md")).includes(`\n\n${table}\n\n`), table);
  });
});
