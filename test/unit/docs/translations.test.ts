import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { pages } from "./pages.ts";

const textOf = (page: string) => readFileSync(join(repository, page), "utf8");

/** The blocks of code of a page, without comments, which may be in its language. */
const blocksIn = (page: string) =>
  [...textOf(page).matchAll(/^ *```.+\n[\s\S]*?^ *```$/gm)].map(([block]) => block.replaceAll(/ *# .*$/gm, ""));

/** Where a page leads, in any order and as if all pages were in English. Headings of others have other anchors. */
const linksIn = (page: string) =>
  [...textOf(page).matchAll(/\]\(([^)]*)\)/g)]
    .map(([, to = ""]) => to.replace(/^#.*/, "#").replace(/(?:\.ja)?\.md(?:#.*)?$/, ".md"))
    .sort();

describe("the pages in Japanese", () => {
  const translations = pages.filter((page) => page.endsWith(".ja.md"));

  it("README.md, the first class and all pages for members are in Japanese too", () => {
    const english = pages.filter((page) => /^(README|docs\/start\/class|docs\/members\/[^.]+)\.md$/.test(page));
    assert.ok(english.length > 7);
    assert.deepEqual(
      translations,
      english.map((page) => page.replace(/\.md$/, ".ja.md")),
    );
  });

  for (const japanese of translations) {
    const english = japanese.replace(/\.ja\.md$/, ".md");

    it(`${japanese} and ${english} agree in commands, files and links, and lead to each other first`, () => {
      assert.notEqual(blocksIn(english).length, 0);
      assert.deepEqual(blocksIn(japanese), blocksIn(english));
      assert.deepEqual(linksIn(japanese), linksIn(english));
      assert.match(textOf(japanese), new RegExp(`^# .*\n\n\\[English\\]\\(${basename(english)}\\)\n`));
      assert.match(textOf(english), new RegExp(`^# .*\n\n\\[日本語\\]\\(${basename(japanese)}\\)\n`));
    });
  }
});
