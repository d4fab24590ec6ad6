import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { layout } from "../../../../scaffold/site/layout.ts";
import { linkOnSite } from "../../../../scaffold/site/markdown.ts";
import { pagesIn, type SitePage, sectionsOf, targetOf } from "../../../../scaffold/site/pages.ts";

describe("the site's pages", () => {
  it("are where their files are, and a folder's README is its index", () => {
    assert.equal(targetOf("docs/start/sandbox.md"), "docs/start/sandbox.html");
    assert.equal(targetOf("README.md"), "index.html");
    assert.equal(targetOf("README.ja.md"), "index.ja.html");
    assert.equal(targetOf("docs/README.md"), "docs/index.html");
  });

  it("are all in the menu, but for the front pages, the index and the changes", () => {
    const index = readFileSync(join(repository, "docs/README.md"), "utf8");
    const listed = sectionsOf(index).flatMap(({ sources }) => sources);
    assert.deepEqual(
      pagesIn(repository)
        .map(({ source }) => source)
        .filter((source) => !listed.includes(source)),
      ["CHANGELOG.md", "README.ja.md", "README.md", "docs/README.md"],
    );
    assert.ok(pagesIn(repository).every(({ title }) => title !== ""));
  });
});

describe("a link", () => {
  const source = "docs/start/sandbox.md";

  it("leads to the page that its file has become", () => {
    assert.equal(linkOnSite("first-stack.md", source, undefined), "first-stack.html");
    assert.equal(linkOnSite("../README.md#start", source, undefined), "../index.html#start");
  });

  it("stays as it is within a page, and to elsewhere", () => {
    for (const href of ["#buckets", "https://kwok.sigs.k8s.io/#a", "mailto:a@example.org"]) {
      assert.equal(linkOnSite(href, source, undefined), href);
    }
  });

  it("leads to the repository where its file is no page, or nowhere if that is unknown", () => {
    const files = "https://git.example.org/o/r/blob/main";
    assert.equal(linkOnSite("../../LICENSE", source, files), `${files}/LICENSE`);
    assert.equal(linkOnSite("../../LICENSE", source, undefined), undefined);
  });
});

describe("the layout", () => {
  const page: SitePage = { source: "docs/start/sandbox.md", title: "Try <it>", language: "en" };
  const pages = new Map([page, { ...page, source: "docs/run/up.md", title: "Up" }].map((one) => [one.source, one]));
  const sections = [{ name: "Start", sources: [...pages.keys()] }];
  const html = layout(page, "<p>Hello</p>", { sections, pages });

  it("has the page's title and the menu, with links from where the page is", () => {
    assert.ok(html.includes("<title>Try &lt;it&gt; · kubecamp</title>"));
    assert.ok(html.includes('<li><a href="sandbox.html" aria-current="page">Try &lt;it&gt;</a></li>'));
    assert.ok(html.includes('<li><a href="../run/up.html">Up</a></li>'));
    assert.ok(html.includes('<link rel="stylesheet" href="../../style.css">'));
    assert.ok(html.includes("<main>\n<p>Hello</p>\n</main>"));
  });
});
