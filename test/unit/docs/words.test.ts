import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";

const page = "docs/reference/words.md";
const text = (file: string) => readFileSync(join(repository, file), "utf8");
const words = [...text(page).matchAll(/^\| ([a-z -]+) \|/gm)].flatMap(([, word = ""]) => (word === "word" ? [] : word));

describe(page, () => {
  it("each word occurs in the product's code or in another page", () => {
    const folders = "buckets,cluster,commands,components,config,objects,plan,runs,watch";
    const files = globSync([`{${folders}}/**/*.ts`, "docs/**/*.md"], { cwd: repository });
    const all = files.flatMap((file) => (file === page ? [] : text(file))).join("\n");
    assert.ok(words.length > 30);
    // `route part` is also found as `routeParts`.
    const occurs = (word: string) => new RegExp(`\\b${word.replaceAll(" ", "\\s?")}s?\\b`, "i").test(all);
    assert.deepEqual(
      words.filter((word) => !occurs(word)),
      [],
    );
  });

  it("the words stand in alphabetical order, each once", () => {
    assert.deepEqual(words, [...new Set(words)].sort());
  });
});
