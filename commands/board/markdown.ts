import { html } from "@remix-run/html-template";
import MarkdownIt, { type Token } from "markdown-it";
import { page } from "./page.ts";

/** HTML in the Markdown is text. Links lead only where markdown-it takes them to be safe: never to `javascript:`. */
const markdownIt = new MarkdownIt({ html: false });

/** A self-contained page from Markdown. @param language of the text, as `en`. Default: not stated */
export function htmlPage(markdown: string, language?: string): string {
  const tokens = markdownIt.parse(markdown, {});
  const heading = tokens.findIndex(({ type }) => type === "heading_open");
  const title = tokens[heading + 1]?.children?.map(({ content }) => content).join("") ?? "Invitation";
  return page(title, language, html`<main class="invitation">${html.raw`${rendered(tokens)}`}</main>`);
}

/** HTML from Markdown, as a part of a page. @param deeper levels by which its headings are lower */
export function htmlPart(markdown: string, deeper: number): string {
  const tokens = markdownIt.parse(markdown, {});
  for (const token of tokens.filter(({ type }) => type.startsWith("heading_"))) {
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + deeper)}`;
  }
  return rendered(tokens);
}

const rendered = (tokens: Token[]) => markdownIt.renderer.render(tokens, markdownIt.options, {});
