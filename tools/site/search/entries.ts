import MarkdownIt, { type Token } from "markdown-it";
import { anchors } from "../markdown.ts";
import { type SitePage, targetOf } from "../pages.ts";

/** A section of a page: what stands below a heading, up to the next one. */
export interface Entry {
  /** From the site's root, such as `docs/run/board.html#serve-it`. */
  readonly url: string;
  /** The page's. */
  readonly title: string;
  /** In the page's first section its title. */
  readonly heading: string;
  /** All words of the section, its heading and the title, in lower case and each once. */
  readonly words: string;
}

const markdownIt = new MarkdownIt({ html: true });

/** What the search finds of a page. */
export function entriesOf({ source, title }: SitePage, text: string): Entry[] {
  const url = targetOf(source);
  const anchorFor = anchors();
  return sectionsOf(markdownIt.parse(text, {})).map((section, index) => {
    const anchor = anchorFor(section.heading);
    const heading = section.heading.replaceAll("`", "");
    return {
      url: index === 0 ? url : `${url}#${anchor}`,
      title,
      heading,
      words: wordsIn([title, heading, ...section.texts].join(" ")),
    };
  });
}

function sectionsOf(tokens: readonly Token[]): { readonly heading: string; readonly texts: string[] }[] {
  const sections: { readonly heading: string; readonly texts: string[] }[] = [];
  for (const [index, { type, children, content }] of tokens.entries()) {
    if (tokens[index - 1]?.type === "heading_open") {
      sections.push({ heading: content, texts: [] });
    } else if (type === "inline") {
      sections.at(-1)?.texts.push(...(children ?? []).map((child) => child.content));
    } else if (type === "fence") {
      sections.at(-1)?.texts.push(content);
    }
  }
  return sections;
}

const wordsIn = (text: string): string => [...new Set(text.toLowerCase().split(/[^\p{L}\p{N}.-]+/u))].join(" ").trim();
