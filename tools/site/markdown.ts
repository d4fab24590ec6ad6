import { posix } from "node:path";
import type { Markdown, Token } from "@11ty/eleventy";
import { targetOf } from "./pages.ts";

/**
 * Has Markdown come out as GitHub shows it: links between files, anchors of headings, alerts.
 * @param filesUrl where the project's other files can be read, such as `https://github.com/ORG/REPO/blob/main`
 */
export function amendMarkdown(markdown: Markdown, filesUrl: string | undefined): void {
  markdown.core.ruler.push("kubecamp", ({ tokens, env }) => {
    const source = posix.normalize(env.page.inputPath);
    const anchorFor = anchors();
    for (const [index, token] of tokens.entries()) {
      const next = tokens[index + 1];
      if (token.type === "heading_open") {
        token.attrSet("id", anchorFor(next?.content ?? ""));
      }
      if (token.type === "blockquote_open") {
        amendAlert(token, tokens[index + 2]);
      }
      for (const child of token.children ?? []) {
        if (child.type === "link_open") {
          amendLink(child, source, filesUrl);
        }
      }
    }
  });
}

/** The anchor that GitHub gives a heading of this Markdown. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Gives the headings of a page their anchors, in their order: GitHub numbers those that are called alike. */
export function anchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const anchor = anchorOf(heading);
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

/** https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts */
function amendAlert(quote: Token, text: Token | undefined): void {
  const [first] = text?.children ?? [];
  const [, mood = ""] = /^\[!([A-Z]+)\]$/.exec(first?.content ?? "") ?? [];
  if (first === undefined || mood === "") {
    return;
  }
  quote.attrSet("class", `alert ${mood.toLowerCase()}`);
  first.content = `${mood.slice(0, 1)}${mood.slice(1).toLowerCase()}:`;
}

function amendLink(link: Token, source: string, filesUrl: string | undefined): void {
  const href = linkOnSite(link.attrGet("href") ?? "", source, filesUrl);
  if (href === undefined) {
    link.attrs = [];
  } else {
    link.attrSet("href", href);
  }
}

/** The target of a link in `source` on the site. Without `filesUrl`, a file that is no page can't be shown, and there is no link. */
export function linkOnSite(href: string, source: string, filesUrl: string | undefined): string | undefined {
  const [path = "", anchor] = href.split("#");
  if (path === "" || /^[a-z]+:/.test(path)) {
    return href;
  }
  if (path.endsWith(".md")) {
    return anchor === undefined ? targetOf(path) : `${targetOf(path)}#${anchor}`;
  }
  return filesUrl === undefined ? undefined : `${filesUrl}/${posix.join(posix.dirname(source), path)}`;
}
