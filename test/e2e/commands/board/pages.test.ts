import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { boardPage } from "../../../../commands/board/boardPage.ts";
import { memberPage } from "../../../../commands/board/memberPage.ts";
import { type Language, languages } from "../../../../commands/board/options.ts";
import { startChromium } from "../../../../scaffold/pictures/board/chromium.ts";
import { manyMembers, threeMembers } from "../../../../scaffold/pictures/board/samples.ts";
import { opened, picture, shots } from "../../../../scaffold/pictures/board/shots.ts";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { changed, hostileModel } from "../../../unit/commands/board/hostile.ts";

const board = (language: Language) =>
  boardPage(threeMembers, { language, memberHref: (name) => `https://camp.example.org/board/${name}` });
const member = (language: Language) => memberPage(threeMembers, "bob", { language, boardHref: "." }) ?? "";
const pages = { board, member } as const;
const phone = { width: 360, height: 740 };

/** Opens all that opens, which a script does faster than clicks. */
const openAll = (page: Page) =>
  page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");

/** Elements in document order with their attributes' names: what a browser takes for markup. */
const markupOf = (page: Page) =>
  page.evaluate(
    "[...document.querySelectorAll('*')].map((each) => [each.tagName, ...each.getAttributeNames()].join(' '))",
  ) as Promise<string[]>;

describe("the board's pages in a browser", () => {
  let browser: Browser;
  before(async () => {
    browser = await startChromium();
  });
  after(async () => await browser.close());
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  for (const shot of shots) {
    it(`looks as in ${shot.path}`, async () => {
      const kept = PNG.sync.read(await readFile(join(repository, shot.path)));
      const seen = PNG.sync.read(await picture(browser, shot));
      assert.deepEqual([seen.width, seen.height], [kept.width, kept.height]);
      const others = pixelmatch(kept.data, seen.data, undefined, kept.width, kept.height, { threshold: 0.1 });
      // A line of text that moves by a pixel is more than this.
      const allowed = (kept.width * kept.height) / 2000;
      assert.ok(others <= allowed, `${others} pixels differ; 'npm run pictures' makes the pictures anew`);
    });
  }

  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  for (const [name, text] of Object.entries(pages)) {
    for (const language of languages) {
      for (const colorScheme of ["light", "dark"] as const) {
        it(`axe finds nothing on the page of ${name} in ${language}, ${colorScheme}`, async () => {
          const page = await opened(browser, text(language), { colorScheme });
          await openAll(page);
          await page.evaluate(await readFile(axe, "utf8"));
          const run = "axe.run().then(({ violations, passes }) => ({ violations, passes: passes.length }))";
          const { violations, passes } = (await page.evaluate(run)) as {
            violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
            passes: number;
          };
          assert.deepEqual(
            violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary])),
            [],
          );
          assert.ok(passes > 20, `${passes} rules looked at something`);
        });
      }
      it(`needs no sideways scroll on a phone: ${name} in ${language}`, async () => {
        const page = await opened(browser, text(language), phone);
        await openAll(page);
        assert.deepEqual(await page.evaluate("[document.documentElement.scrollWidth, innerWidth]"), [360, 360]);
      });
    }
  }

  it("needs no sideways scroll on a phone with names and texts as long as they may be", async () => {
    const long = (text: string) => `${text}-${"x".repeat(62 - text.length)}`;
    const model = changed(threeMembers, (text) => (/^[a-z][a-z0-9-]*$/.test(text) ? long(text) : text));
    const [name = ""] = model.members.map(({ member }) => member);
    for (const text of [boardPage(model, { language: "en" }), memberPage(model, name, { language: "en" }) ?? ""]) {
      const page = await opened(browser, text, phone);
      await openAll(page);
      assert.ok((await page.locator("body").textContent())?.includes(name));
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
    }
  });

  it("takes nothing of a member's for markup, and runs and loads nothing", async () => {
    const loaded: string[] = [];
    for (const text of [
      (model: typeof hostileModel) => boardPage(model, { language: "en" }),
      (model: typeof hostileModel) => memberPage(model, model.members[0]?.member ?? "", { language: "en" }) ?? "",
    ]) {
      const harmless = await opened(browser, text(changed(hostileModel, (words) => words.replaceAll(/[^/]/g, "h"))));
      const hostile = await opened(browser, text(hostileModel));
      hostile.on("request", (request) => loaded.push(request.url()));
      await Promise.all([harmless, hostile].map(openAll));
      assert.deepEqual(await markupOf(hostile), await markupOf(harmless));
      assert.equal(await hostile.evaluate("globalThis.owned"), undefined);
    }
    assert.deepEqual(loaded, []);
  });

  it("opens rows by keyboard, without JavaScript", async () => {
    const page = await opened(browser, board("en"), { javaScriptEnabled: false });
    const reason = page.getByText("no Service 'bob-svc' in namespace 'bob'");
    assert.equal(await reason.isVisible(), false);
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").textContent(), "Skip to the members");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.match((await page.locator(":focus").textContent()) ?? "", /^\s*bob user/);
    await page.keyboard.press("Enter");
    assert.equal(await reason.isVisible(), true);
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").getAttribute("href"), "https://camp.example.org/board/bob");
  });

  it("reads a member's line as one sentence to a screen reader, without the bars", async () => {
    const page = await opened(browser, board("en"));
    const line = page.locator(".members summary").first();
    assert.equal(
      (await line.textContent())?.trim().replaceAll(/\s+/g, " "),
      "bob user pending 1 difference CPU 1900m / 2 Memory 512Mi / 4Gi Path not open yet Last day 2027-02-28",
    );
    assert.equal(await line.locator("svg:not([aria-hidden=true])").count(), 0);
  });

  it("prints in light colours on paper of any width, without an empty page", async () => {
    const page = await opened(browser, boardPage(manyMembers(60), { language: "en" }), { colorScheme: "dark" });
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    const sheets = pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
    assert.ok(sheets >= 3 && sheets <= 8, `${sheets} sheets`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
  });
});
