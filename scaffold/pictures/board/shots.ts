import type { Browser, Page } from "playwright-core";
import { boardPage } from "../../../commands/board/boardPage.ts";
import { memberPage } from "../../../commands/board/memberPage.ts";
import type { Language } from "../../../commands/board/options.ts";
import { asListed, manyMembers, threeMembers } from "./samples.ts";

/** A picture of a page. */
interface Shot {
  /** In the project. */
  readonly path: string;
  readonly html: () => string;
  readonly width: number;
  readonly height: number;
  /** Default: light colours on a screen. */
  readonly look?: "dark" | "print";
  /** Member whose row is open. Default: none. */
  readonly open?: string;
}

const language: Language = "en";
const board = () => boardPage(threeMembers, { language, memberHref: (name) => `members/${name}` });
const listed = () => boardPage(asListed(threeMembers), { language });
const crowd = () => boardPage(asListed(manyMembers(300)), { language });
const ofBob = () => memberPage(threeMembers, "bob", { language, boardHref: "." }) ?? "";
const tests = "test/e2e/commands/board/pictures";

/** In English only: the browser's font has no Japanese. */
export const shots: readonly Shot[] = [
  { path: "docs/pictures/board.png", html: listed, width: 1000, height: 1060, open: "bob" },
  { path: "docs/pictures/board-300.png", html: crowd, width: 1000, height: 620 },
  { path: "docs/pictures/board-phone.png", html: listed, width: 360, height: 760 },
  { path: "docs/pictures/board-dark.png", html: listed, width: 1000, height: 760, look: "dark" },
  { path: `${tests}/board.png`, html: board, width: 1000, height: 1300 },
  { path: `${tests}/phone-open.png`, html: board, width: 360, height: 1600, open: "bob" },
  { path: `${tests}/print.png`, html: board, width: 720, height: 900, look: "print" },
  { path: `${tests}/member.png`, html: ofBob, width: 800, height: 1200 },
  { path: `${tests}/member-phone.png`, html: ofBob, width: 360, height: 1500, look: "dark" },
];

/** Takes a picture of a page, of its size at the top. */
export async function picture(browser: Browser, { html, width, height, look, open }: Shot): Promise<Buffer> {
  const page = await opened(browser, html(), { width, height, colorScheme: look === undefined ? "light" : "dark" });
  await page.emulateMedia({ media: look === "print" ? "print" : "screen" });
  if (open !== undefined) {
    await page.locator(".members summary", { hasText: open }).first().click();
    await page.mouse.move(0, 0);
    await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
  }
  const image = await page.screenshot();
  await page.context().close();
  return image;
}

/** Opens a page from its text. */
export async function opened(
  browser: Browser,
  html: string,
  {
    width = 1000,
    height = 760,
    ...more
  }: {
    readonly width?: number;
    readonly height?: number;
    readonly colorScheme?: "light" | "dark";
    readonly javaScriptEnabled?: boolean;
  } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, ...more });
  const page = await context.newPage();
  await page.route("http://board.test/", (route) => route.fulfill({ body: html, contentType: "text/html" }));
  await page.goto("http://board.test/");
  return page;
}
