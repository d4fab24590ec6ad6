import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";
import { useFolder } from "../../../unit/testFolder.ts";

describe("npm run site", () => {
  const folder = useFolder();

  it("makes a page of each file, as GitHub shows it, with a menu of all", async () => {
    await execa(process.execPath, ["tools/site/main.ts", folder.path], {
      cwd: repository,
      env: { GITHUB_SERVER_URL: "https://git.example.org", GITHUB_REPOSITORY: "o/r" },
    });
    const read = (page: string) => readFile(join(folder.path, page), "utf8");
    const front = await read("index.html");
    assert.match(front, /<a href="index\.ja\.html">日本語<\/a>/);
    assert.match(front, /<a href="https:\/\/git\.example\.org\/o\/r\/blob\/main\/LICENSE">/);
    assert.match(front, /<img src="docs\/pictures\/comment\.svg"/);
    assert.match(await read("index.ja.html"), /<html lang="ja">/);
    assert.match(await read("docs/run/offboarding.html"), /<blockquote class="alert caution">/);
    const settings = await read("docs/reference/settings.html");
    assert.match(
      settings,
      /<title>Settings · kubecamp<\/title>\n<link rel="stylesheet" href="\.\.\/\.\.\/style\.css">/,
    );
    assert.match(settings, /<h1 id="settings">/);
    assert.match(settings, /<li><a href="settings\.html" aria-current="page">Settings<\/a><\/li>/);
    assert.match(settings, /<li><a href="\.\.\/start\/sandbox\.html">/);
    assert.match(await read("search.js"), /^function find\(/);
    const context: { searchIndex?: unknown[] } = {};
    runInNewContext(await read("search-index.js"), context);
    assert.ok(JSON.stringify(context.searchIndex).includes('"docs/reference/settings.html#offboarding"'));
  });
});
