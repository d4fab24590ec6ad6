import { html, type SafeHtml } from "@remix-run/html-template";
import type { BoardMember, BoardModel } from "./model.ts";
import type { BoardOptions } from "./options.ts";
import { page } from "./page.ts";
import { differenceList } from "./parts/differs.ts";
import { byLabel, byState } from "./parts/groups.ts";
import { labelTables } from "./parts/labels.ts";
import { memberRow } from "./parts/row.ts";
import { minuteOf, type Setting } from "./parts/texts.ts";
import { upList } from "./parts/ups.ts";
import { wordsIn } from "./words/languages.ts";

/** Members under a heading. */
interface Group {
  readonly title: string;
  readonly members: readonly BoardMember[];
}

/** A page with all members, the sums of each label, what differs, and the last runs. */
export function boardPage(model: BoardModel, { by, ...options }: BoardOptions): string {
  const words = wordsIn[options.language];
  const { stack, members, readAt, differs, ups } = model;
  const hasStacks = new Set(members.map((member) => member.stack)).size > 1;
  const setting: Setting = { ...options, words, hasStacks };
  const title = words.title(stack);
  const groups = groupsOf(members, by, setting);
  const body = html`<a class="skip" href="#members">${words.skip}</a>
<header><h1>${title}</h1>
<p>${words.count(members.length)} · ${words.readAt(minuteOf(readAt))}</p>
<nav aria-label="${words.contents}"><ul class="tiles">${groups.map(
    ({ title, members }, at) => html`<li><a href="#group-${at}"><b>${members.length}</b> ${title}</a></li>`,
  )}</ul>
<ul class="links">${partLinks(model, setting)}</ul></nav></header>
<main>
<section id="members" tabindex="-1"><h2>${words.headings.members}</h2>
${members.length === 0 ? html`<p>${words.nobody}</p>` : ""}${groups.map((group, at) => groupPart(group, at, setting))}</section>
${members.length === 0 ? "" : html`<section id="labels"><h2>${words.headings.labels}</h2>${labelTables(model, setting)}</section>`}
${differs === undefined ? "" : differsSection(model, differs, setting)}
${ups === undefined ? "" : html`<section id="runs"><h2>${words.headings.ups}</h2>${upList(ups, setting)}</section>`}
</main>
<footer><h2>${words.headings.meanings}</h2><dl>${byState(members).map(
    ([state]) => html`<dt>${words.states[state]}</dt><dd>${words.meanings[state]}</dd>`,
  )}</dl></footer>`;
  return page(title, options.language, body);
}

/** Links to the parts below the members, with the most important of each. */
function partLinks({ members, differs, ups }: BoardModel, { words }: Setting): SafeHtml[] {
  const { headings, differences, outcomes } = words;
  const count = (differs?.length ?? 0) + members.reduce((sum, each) => sum + (each.differs?.length ?? 0), 0);
  const last = ups?.[0];
  return [
    members.length === 0 ? undefined : html`<li><a href="#labels">${headings.labels}</a></li>`,
    differs && html`<li><a href="#differs">${headings.differs}</a>: ${differences(count)}</li>`,
    ups &&
      html`<li><a href="#runs">${headings.ups}</a>${last && html`: <b class="${last.outcome}">${outcomes[last.outcome]}</b>`}</li>`,
  ].filter((each) => each !== undefined);
}

function groupsOf(members: readonly BoardMember[], by: string | undefined, { words }: Setting): Group[] {
  return by === undefined
    ? byState(members).map(([state, all]) => ({ title: words.states[state], members: all }))
    : byLabel(members, by).map(([value, all]) => ({ title: value ?? words.without, members: all }));
}

const groupPart = ({ title, members }: Group, at: number, setting: Setting): SafeHtml =>
  html`<h3 id="group-${at}">${title} <span class="quiet">${members.length}</span></h3>
<ul class="members">${members.map((member) => memberRow(member, setting))}</ul>
`;

/** Differences of objects that all members share, then those of each member. */
function differsSection(
  { members }: BoardModel,
  shared: NonNullable<BoardModel["differs"]>,
  setting: Setting,
): SafeHtml {
  const { words } = setting;
  const own = members.filter(({ differs = [] }) => differs.length > 0);
  const all = shared.length + own.length;
  return html`<section id="differs"><h2>${words.headings.differs}</h2>${
    all === 0
      ? html`<p>${words.nothingDiffers}</p>`
      : html`<dl>${shared.length === 0 ? "" : html`<dt>${words.shared}</dt><dd>${differenceList(shared, setting)}</dd>`}${own.map(
          ({ member, differs = [] }) => html`<dt>${member}</dt><dd>${differenceList(differs, setting)}</dd>`,
        )}</dl>`
  }</section>`;
}
