import { html } from "@remix-run/html-template";
import { htmlPart } from "./markdown.ts";
import { metersOf, meterTable } from "./meters.ts";
import type { BoardModel } from "./model.ts";
import type { PageOptions } from "./options.ts";
import { page } from "./page.ts";
import { factList } from "./parts/facts.ts";
import { badge, minuteOf, pageLink, type Setting, wordsIn } from "./parts/texts.ts";
import { upList, upsOf } from "./parts/ups.ts";

/** A member's own page, which shows nothing of other members; undefined if there is no such member. */
export function memberPage(model: BoardModel, name: string, options: PageOptions): string | undefined {
  const member = model.members.find(({ member }) => member === name);
  if (member === undefined) {
    return undefined;
  }
  const words = wordsIn[options.language];
  const setting: Setting = { ...options, words };
  const { headings, meanings } = words;
  const meters = metersOf(member, words);
  const { invitation } = member;
  const ups = model.ups && upsOf(name, model.ups);
  const body = html`<header>${options.boardHref === undefined ? "" : html`<p>${pageLink(options.boardHref, words.back)}</p>`}
<h1>${name} ${badge(member.state, words)}</h1>
<p>${meanings[member.state]}</p>
<p class="quiet">${words.readAt(minuteOf(model.readAt))}</p></header>
<main>
<section>${factList(member, setting)}</section>
<section><h2>${headings.quota}</h2>${meters.length === 0 ? html`<p>${words.noQuota}</p>` : meterTable(meters, words)}</section>
${ups === undefined ? "" : html`<section><h2>${headings.ups}</h2>${upList(ups, setting, words.noOwnUps)}</section>`}
${
  invitation === undefined
    ? ""
    : // markdown-it has made it, and takes no HTML from the text.
      html`<section><h2>${headings.firstDay}</h2><div class="invitation"${invitation.language === undefined ? "" : html` lang="${invitation.language}"`}>${html.raw`${htmlPart(invitation.markdown, 2)}`}</div></section>`
}
</main>`;
  return page(name, options.language, body);
}
