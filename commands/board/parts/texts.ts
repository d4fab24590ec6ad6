import { html, type SafeHtml } from "@remix-run/html-template";
import type { BoardMember } from "../model.ts";
import type { PageOptions } from "../options.ts";
import type { Words } from "../words/words.ts";

/** What the parts of a page need to know. */
export interface Setting extends PageOptions {
  readonly words: Words;
}

/** A link to a web page; text if it is another kind of URL, such as `javascript:`. */
export function webLink(url: string): SafeHtml {
  const { protocol } = URL.parse(url) ?? {};
  return protocol === "https:" || protocol === "http:"
    ? html`<a href="${url}" rel="noreferrer">${url}</a>`
    : html`<code>${url}</code>`;
}

/** Text that is English on every page: kubecamp's reasons, and those of the cluster. */
export const english = (text: string, { language }: Pick<Setting, "language">): SafeHtml =>
  language === "en" ? html`${text}` : html`<span lang="en">${text}</span>`;

/** The state as a word with a colour. */
export const badge = (state: BoardMember["state"], { states }: Words): SafeHtml =>
  html`<span class="badge ${state}">${states[state]}</span>`;

/** Such as `2026-11-27 02:00 UTC`. */
export const minuteOf = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** A time for people and for programs. */
export const time = (iso: string): SafeHtml => html`<time datetime="${iso}">${minuteOf(iso)}</time>`;
