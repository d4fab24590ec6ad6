import { posix } from "node:path";
import { type Section, type SitePage, targetOf } from "./pages.ts";

interface Menu {
  readonly sections: readonly Section[];
  /** By their places in the project. */
  readonly pages: ReadonlyMap<string, SitePage>;
}

/** A whole page: what its Markdown has become, with the menu beside it. All links are relative, so the site works in any folder. */
export function layout(page: SitePage, content: string, { sections, pages }: Menu): string {
  const file = (path: string) => posix.relative(posix.dirname(page.source), path);
  const to = (source: string) => file(targetOf(source));
  const entry = (source: string) => {
    const current = source === page.source ? ' aria-current="page"' : "";
    return `<li><a href="${to(source)}"${current}>${escaped(pages.get(source)?.title ?? source)}</a></li>`;
  };
  const title = page.title === "kubecamp" ? page.title : `${page.title} · kubecamp`;
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${file("style.css")}">
<script src="${file("search.js")}" defer></script>
</head>
<body>
<header>
<a href="${to("README.md")}">kubecamp</a>
${searchForm(page.language)}
<a href="#menu">Menu</a>
</header>
<main>
${content.replaceAll("<table>", '<div class="table"><table>').replaceAll("</table>", "</table></div>")}
</main>
<nav id="menu" aria-label="All pages">
${sections
  .map(({ name, sources }) => `<h2>${escaped(name)}</h2>\n<ul>\n${sources.map(entry).join("\n")}\n</ul>`)
  .join("\n")}
</nav>
</body>
</html>
`;
}

const searchWords = {
  en: { label: "Search", some: "Sections found: 0", none: "Nothing found" },
  ja: { label: "検索", some: "0 件見つかりました", none: "見つかりませんでした" },
} as const;

/** The script shows it. `0` stands for how many are found. */
function searchForm(language: SitePage["language"]): string {
  const { label, some, none } = searchWords[language];
  return `<form role="search" data-some="${some}" data-none="${none}" hidden>
<label for="search">${label}</label>
<input id="search" type="search" autocomplete="off" aria-controls="found" aria-keyshortcuts="/">
<div id="found" hidden><p role="status"></p><ol></ol></div>
</form>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
