import assert from "node:assert/strict";
import { appendFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

const script = join(repository, "scaffold/site/main.ts");

describe("npm run site", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-site-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const build = (cwd: string, target: string) =>
    execa(process.execPath, [script, target], {
      cwd,
      env: { GITHUB_SERVER_URL: "https://git.example.org", GITHUB_REPOSITORY: "o/r" },
      reject: false,
    });

  it("makes a page of each file, as GitHub shows it", async () => {
    const site = join(folder, "site");
    const { exitCode, stdout, stderr } = await build(repository, site);
    assert.equal(exitCode, 0, stdout + stderr);
    const read = (page: string) => readFile(join(site, page), "utf8");
    const front = await read("index.html");
    assert.match(front, /<a href="index\.ja\.html">日本語<\/a>/);
    assert.match(front, /<a href="https:\/\/git\.example\.org\/o\/r\/blob\/main\/LICENSE">/);
    assert.match(front, /<img src="docs\/pictures\/comment\.svg"/);
    assert.match(await read("index.ja.html"), /<html lang="ja">/);
    assert.match(await read("docs/run/offboarding.html"), /<blockquote class="alert caution">/);
    assert.match(await read("docs/reference/settings.html"), /<h1 id="settings">/);
  });

  it("fails at a link that leads nowhere, and names it", async () => {
    const project = join(folder, "project");
    for (const part of ["README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "scaffold/site"]) {
      await cp(join(repository, part), join(project, part), { recursive: true });
    }
    const words = "\n[gone](gone.md) [also](first-stack.md#gone) {{ 1 + 1 }}\n";
    await appendFile(join(project, "docs/start/sandbox.md"), words);
    const { exitCode, stderr } = await build(project, "_site");
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /^Links that lead nowhere:\n {2}docs\/start\/sandbox\.html: gone\.html\n {2}docs\/start\/sandbox\.html: first-stack\.html#gone$/m,
    );
    // Eleventy's placeholders stay text here.
    assert.match(await readFile(join(project, "_site/docs/start/sandbox.html"), "utf8"), /<\/a> \{\{ 1 \+ 1 \}\}/);
  });
});
