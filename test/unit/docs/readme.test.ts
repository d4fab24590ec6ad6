import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { mistakes } from "../samples.ts";

const textOf = (path: string) => readFileSync(join(repository, path), "utf8");
const blocksIn = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, "g"))].map(([, text = ""]) => text);
const linksIn = (page: string) =>
  [...page.matchAll(/\]\(([^)]*)\)/g)].map(([, to = ""]) => to).filter((to) => !/^README(\.ja)?\.md$/.test(to));

describe("README.md and README.ja.md", () => {
  const [english, japanese] = ["README.md", "README.ja.md"].map(textOf) as [string, string];

  it("are one screen each", () => {
    for (const page of [english, japanese]) assert.ok(page.split("\n").length <= 120);
  });

  it("have the same commands, the same stack file, and the same links", () => {
    assert.equal(blocksIn(english, "sh").length, 2);
    assert.deepEqual(blocksIn(japanese, "sh"), blocksIn(english, "sh"));
    assert.deepEqual(blocksIn(japanese, "yaml"), blocksIn(english, "yaml"));
    assert.ok(linksIn(english).length > 10);
    assert.deepEqual(linksIn(japanese), linksIn(english));
  });

  it("lead to each other", () => {
    assert.match(english, /^\[日本語\]\(README\.ja\.md\)$/m);
    assert.match(japanese, /^\[English\]\(README\.md\)$/m);
  });

  it("name the same places in code", () => {
    const codeIn = (page: string) => [...new Set(page.match(/`[^`\n]+`/g))].toSorted();
    assert.deepEqual(codeIn(japanese), codeIn(english));
  });

  it("have a stack file that is taken, and docs/start/first-stack.md the same", () => {
    const [text = ""] = blocksIn(english, "yaml");
    const { config } = parse(text) as { config: Record<string, unknown> };
    const settings = Object.entries(config).map(([key, value]) => [key.replace("kubecamp:", ""), value]);
    assert.deepEqual(mistakes(Object.fromEntries(settings)), []);
    assert.deepEqual(blocksIn(textOf("docs/start/first-stack.md"), "yaml")[0], text);
  });
});
