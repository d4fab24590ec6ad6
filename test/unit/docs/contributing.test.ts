import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { importsOf } from "../imports.ts";

const textOf = (path: string) => readFileSync(join(repository, path), "utf8");

describe("CONTRIBUTING.md", () => {
  const page = textOf("CONTRIBUTING.md");

  it("names files and folders that are there", () => {
    const made = ["_site/"];
    const paths = [...page.matchAll(/`((?:\.?[\w-]+\/)+[\w.-]*)`/g)].map(([, path = ""]) => path);
    assert.ok(paths.length > 40);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(repository, path)) && !made.includes(path)),
      [],
    );
  });

  it("names scripts that there are", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    assert.ok(named.length >= 6);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });
});

describe("docs/releasing.md", () => {
  it("keeps all that the program consists of for the upgrade test", () => {
    const [, list = ""] = /git archive (?:.*\\\n)\s*(.*)/.exec(textOf("docs/releasing.md")) ?? [];
    const parts = list.split(" ");
    for (const part of parts) assert.ok(existsSync(join(repository, part)), part);
    const needed = new Set(["index.ts", "buckets/plugin/main.ts"]);
    for (const file of needed) {
      for (const { name, isFile, typesOnly } of importsOf(file)) if (isFile && !typesOnly) needed.add(name);
    }
    assert.ok(needed.size > 100);
    assert.deepEqual(
      [...needed].filter((file) => !parts.some((part) => file === part || file.startsWith(`${part}/`))),
      [],
    );
  });
});
