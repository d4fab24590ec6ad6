import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of the site, by its place in the project. */
export interface SitePage {
  /** Such as `docs/start/sandbox.md`. */
  readonly source: string;
  readonly title: string;
  readonly language: "en" | "ja";
}

/** The path of a page on the site. Folders stay as they are, so that relative links between pages do as well. */
export const targetOf = (source: string): string =>
  source.replace(/(^|\/)README((?:\.ja)?)\.md$/, "$1index$2.md").replace(/\.md$/, ".html");

export function pagesIn(project: string): SitePage[] {
  return globSync(["{README,README.ja,CONTRIBUTING,CHANGELOG}.md", "docs/**/*.md"], { cwd: project })
    .toSorted()
    .map((source) => ({
      source,
      title: titleOf(readFileSync(join(project, source), "utf8")),
      language: source.endsWith(".ja.md") ? "ja" : "en",
    }));
}

const titleOf = (text: string) => (/^# (.*)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");

/** A heading of docs/README.md with the pages that its list has. */
export interface Section {
  readonly name: string;
  /** Paths from the project's root. */
  readonly sources: readonly string[];
}

/** The site's menu: the pages that docs/README.md lists. */
export const sectionsOf = (index: string): Section[] =>
  index
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      name: part.split("\n")[0] ?? "",
      sources: [...part.matchAll(/^- \[.*\]\(([^)]*\.md)\)$/gm)].map(([, to = ""]) => join("docs", to)),
    }));
