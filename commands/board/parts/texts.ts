import { html, type SafeHtml } from "@remix-run/html-template";
import type { BoardMember } from "../model.ts";
import type { Language, PageOptions } from "../options.ts";
import { en, type Words } from "../words/en.ts";
import { ja } from "../words/ja.ts";

export interface Setting extends PageOptions {
  readonly words: Words;
  /** Whether the members are of several stacks, so that each line names its own. Default: no. */
  readonly hasStacks?: boolean;
}

/** Whether a URL, or a path of a server, leads to a page: never `javascript:`. */
const isWeb = (url: string, base?: string): boolean =>
  ["https:", "http:"].includes(URL.parse(url, base)?.protocol ?? "");

/** A link to a URL that may be anybody's; text if it leads to no page. */
export const webLink = (url: string): SafeHtml =>
  isWeb(url) ? html`<a href="${url}" rel="noreferrer">${url}</a>` : html`<code>${url}</code>`;

export const pageLink = (href: string, text: string): SafeHtml =>
  isWeb(href, "https://board.invalid") ? html`<a href="${href}">${text}</a>` : html`${text}`;

/** Text that is English on every page: kubecamp's reasons, and those of the cluster. */
export const english = (text: string, { language }: Pick<Setting, "language">): SafeHtml =>
  language === "en" ? html`${text}` : html`<span lang="en">${text}</span>`;

export const badge = (state: BoardMember["state"], { states }: Words): SafeHtml =>
  html`<span class="badge ${state}">${states[state]}</span>`;

/** Such as `2026-11-27 02:00 UTC`. */
export const minuteOf = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

export const time = (iso: string): SafeHtml => html`<time datetime="${iso}">${minuteOf(iso)}</time>`;

export const wordsIn: Readonly<Record<Language, Words>> = { en, ja };
