import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deadLinks } from "../../../../scaffold/site/deadLinks.ts";

describe("the site's dead links", () => {
  let site: string;
  before(async () => {
    site = await mkdtemp(join(tmpdir(), "kubecamp-site-"));
    await mkdir(join(site, "docs"));
  });
  after(() => rm(site, { recursive: true, force: true }));

  it("are those to files and anchors that are not there", async () => {
    await writeFile(
      join(site, "index.html"),
      `<h2 id="try-it">Try it</h2><a href="docs/a.html#b">a</a> <a href="docs/a.html#c">a</a> <a href="#try-it">t</a>
       <a href="docs/b.html">b</a> <img alt="p" src="p.svg"> <a href="https://example.org/none">e</a>`,
    );
    await writeFile(join(site, "docs/a.html"), '<h1 id="b">A</h1><a href="../index.html">i</a> <a href="#x">x</a>');
    assert.deepEqual(deadLinks(site).toSorted(), [
      "docs/a.html: #x",
      "index.html: docs/a.html#c",
      "index.html: docs/b.html",
      "index.html: p.svg",
    ]);
  });
});
