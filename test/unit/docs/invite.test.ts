import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blockPlaceholders, inlinePlaceholders } from "../../../commands/members/invitation/values.ts";
import { placeholdersIn } from "../../../config/model/settings/placeholders.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");

describe("docs/run/invite.md", () => {
  it("has each placeholder of a template in its table, and kubecamp's own template uses each", () => {
    const all = [...inlinePlaceholders, ...blockPlaceholders].sort();
    const rows = read("docs/run/invite.md").match(/^\| `\$\{.*$/gm) ?? [];
    assert.deepEqual(placeholdersIn(rows.map((row) => row.split("|")[1]).join()).sort(), all);
    assert.deepEqual([...new Set(placeholdersIn(read("commands/members/invitation/invitation.md")))].sort(), all);
  });
});
