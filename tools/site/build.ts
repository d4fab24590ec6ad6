import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { Eleventy } from "@11ty/eleventy";
import { layout } from "./layout.ts";
import { amendMarkdown } from "./markdown.ts";
import { pagesIn, type SitePage, sectionsOf, targetOf } from "./pages.ts";
import { entriesOf } from "./search/entries.ts";
import { find } from "./search/find.ts";

/** Makes a site of the project in the current folder. */
export async function buildSite(target: string, filesUrl?: string): Promise<void> {
  const pages = new Map(pagesIn(".").map((page) => [page.source, page]));
  const sections = sectionsOf(readFileSync(join("docs", "README.md"), "utf8"));
  await rm(target, { recursive: true, force: true });
  const eleventy = new Eleventy(".", target, {
    quietMode: true,
    config: (config) => {
      config.setTemplateFormats(["md"]);
      config.ignores.add(".sandbox");
      // Pages are plain Markdown: what stands in double braces is nothing to fill in.
      config.addGlobalData("templateEngineOverride", "md");
      config.addGlobalData("permalink", () => ({ page }: { readonly page: { readonly inputPath: string } }) => {
        const source = posix.normalize(page.inputPath);
        return pages.has(source) && targetOf(source);
      });
      config.addPassthroughCopy({ "docs/pictures": "docs/pictures", "docs/reference/*.svg": "docs/reference" });
      config.addPassthroughCopy({ "tools/site/style.css": "style.css" });
      config.amendLibrary("md", (markdown) => amendMarkdown(markdown, filesUrl));
      config.addTransform("layout", function (content) {
        const page = pages.get(posix.normalize(this.page.inputPath));
        return page === undefined ? content : layout(page, content, { sections, pages });
      });
    },
  });
  await eleventy.write();
  await writeFile(join(target, "search-index.js"), searchIndex([...pages.values()]));
  await writeFile(join(target, "search.js"), `${find}\n${readFileSync("tools/site/search/search.js", "utf8")}`);
}

/** A script, not JSON: browsers let pages that are opened as files load that. */
function searchIndex(pages: readonly SitePage[]): string {
  const entries = pages.flatMap((page) => entriesOf(page, readFileSync(page.source, "utf8")));
  return `globalThis.searchIndex = ${JSON.stringify(entries)};\n`;
}
