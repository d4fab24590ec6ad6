import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStackFile } from "../../../../config/sources/files.ts";
import { mistakeLines } from "../../../../config/sources/mistakes.ts";
import { withFiles } from "../../../../config/sources/pagesFolder.ts";
import { parseSources } from "../../../../config/sources/sources.ts";
import { today } from "../../samples.ts";

describe("a folder of starter pages", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-pages-"));
    await mkdir(join(folder, "starter"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function sources(named: string) {
    const config = `config:\n  kubecamp:route: { host: camp.example.org }\n  kubecamp:members: []\n  kubecamp:starter:\n    pagesFolder: ${named}\n`;
    await writeFile(join(folder, "Pulumi.dev.yaml"), config);
    return withFiles(readStackFile(folder, "dev") ?? assert.fail("no file"), folder);
  }

  async function reported(named = "starter"): Promise<string[]> {
    const parsed = parseSources("dev", await sources(named), today);
    return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
  }

  const write = (name: string, text: string | Buffer) => writeFile(join(folder, "starter", name), text);

  it("gives all its Markdown files, and the names of those to be watched", async () => {
    await write("index.md", "# Here");
    await write("more.md", "More");
    await write("logo.svg", "<svg/>");
    const found = await sources("starter/");
    assert.deepEqual(found.pages, {
      pages: { "index.md": "# Here", "more.md": "More" },
      files: ["starter/", "starter/index.md", "starter/more.md"],
      mistakes: [],
    });
    const parsed = parseSources("dev", found, today);
    assert.deepEqual("configuration" in parsed && parsed.configuration.settings.starter.pages, found.pages?.pages);
  });

  it("is a mistake where it is missing, a file, absolute, or has no first page", async () => {
    const at = "Pulumi.dev.yaml:5: starter.pagesFolder:";
    assert.deepEqual(await reported("elsewhere"), [
      `${at} "elsewhere" does not exist; give its path relative to the project's folder, where Pulumi.yaml is`,
    ]);
    assert.deepEqual(await reported("Pulumi.dev.yaml"), [
      `${at} "Pulumi.dev.yaml" is a file, not a folder; give the path of a folder with Markdown files`,
    ]);
    assert.deepEqual(await reported("/etc"), [
      `${at} "/etc" is an absolute path, which holds on one machine alone; give it relative to the project's folder`,
    ]);
    assert.deepEqual(await reported(), [`${at} "starter" has no index.md, the page that a member's path begins with`]);
  });

  it("is a mistake with a page that has no page's name, is not UTF-8, or too many of them", async () => {
    await write("index.md", Buffer.from([0xff, 0xfe]));
    assert.match((await reported()).join("\n"), /"starter" has a page that is no text in UTF-8; save it as UTF-8$/);
    await write("index.md", "x".repeat(900 * 1024 + 1));
    assert.match((await reported()).join("\n"), /"starter" has 901 KiB of pages, and a ConfigMap has room for 900/);
    await write("my page.md", "");
    assert.match((await reported()).join("\n"), /"starter" has a file "my page\.md", which can't be a page's name/);
  });
});
