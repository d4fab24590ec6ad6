import { html, type SafeHtml } from "@remix-run/html-template";
import { compare } from "../../config/values/sentences.ts";
import { groupsOf as sumsBy } from "../common/usage.ts";
import { mainMeters, meterCell, metersOf, meterTable } from "./meters.ts";
import type { BoardMember, BoardModel } from "./model.ts";
import type { BoardOptions } from "./options.ts";
import { page } from "./page.ts";
import { differenceList, factList, pathStateOf } from "./parts/facts.ts";
import { badge, minuteOf, pageLink, type Setting, wordsIn } from "./parts/texts.ts";
import { upList } from "./parts/ups.ts";

type Group = ReturnType<typeof groupsOf>[number];

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
${members.length === 0 ? "" : html`<section id="labels"><h2>${words.headings.labels}</h2>${labelKeys(model).map((key) => labelTable(key, model, setting))}</section>`}
${differs === undefined ? "" : differsSection(model, differs, setting)}
${ups === undefined ? "" : html`<section id="runs"><h2>${words.headings.ups}</h2>${upList(ups, setting)}</section>`}
</main>
<footer><h2>${words.headings.meanings}</h2><dl>${byState(members).map(
    ([state]) => html`<dt>${words.states[state]}</dt><dd>${words.meanings[state]}</dd>`,
  )}</dl></footer>`;
  return page(title, options.language, body);
}

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

function groupsOf(members: readonly BoardMember[], by: string | undefined, { words }: Setting) {
  return by === undefined
    ? byState(members).map(([state, all]) => ({ title: words.states[state], members: all }))
    : sumsBy(members, (member) => labelOf(member, by)).map(({ value, all }) => ({
        title: value ?? words.without,
        members: all,
      }));
}

const groupPart = ({ title, members }: Group, at: number, setting: Setting): SafeHtml =>
  html`<h3 id="group-${at}">${title} <span class="quiet">${members.length}</span></h3>
<ul class="members">${members.map((member) => memberRow(member, setting))}</ul>
`;

function differsSection({ members }: BoardModel, shared: NonNullable<BoardModel["differs"]>, setting: Setting) {
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

/** A member in a list: a line that opens. Nothing in the line itself can be clicked, since the line can. */
function memberRow(member: BoardMember, setting: Setting): SafeHtml {
  const { words, memberHref } = setting;
  const [cpu, memory] = mainMeters(member, words);
  const meters = metersOf(member, words);
  return html`<li><details><summary>
<span class="name"><b>${member.member}</b> <span class="quiet">${[member.type ?? "?", ...(setting.hasStacks ? [member.stack] : [])].join(", ")}</span></span>
<span class="state">${badge(member.state, words)}${member.differs?.length ? html` <span class="badge differs">${words.differences(member.differs.length)}</span>` : ""}</span>
${meterCell(cpu, words.resources.cpu, words)}
${meterCell(memory, words.resources.memory, words)}
<span class="path"><span class="label">${words.fields.path} </span>${pathText(member, setting)}</span>
<span class="expires"><span class="label">${words.fields.expires} </span>${member.expires ?? "–"}</span>
</summary>
<div class="inside">${factList(member, setting)}${meters.length === 0 ? "" : meterTable(meters, words)}${
    memberHref === undefined
      ? ""
      : html`<p>${pageLink(memberHref(member.member), `${words.ownPage}: ${member.member}`)}</p>`
  }</div></details></li>
`;
}

function pathText(member: BoardMember, { words }: Setting): SafeHtml {
  const { route } = member;
  const state = pathStateOf(member);
  const word = words.paths[state];
  const place = route?.path === "/" ? route.host : route?.path;
  if (place === undefined) {
    return html`<span class="quiet">${word}</span>`;
  }
  return state === "open" ? html`${place}` : html`${place} <span class="quiet">${word}</span>`;
}

/** Most values of a label that a table has; a label such as a student's number has one for each member. */
const mostValues = 100;

function labelTable(key: string, { members }: BoardModel, setting: Setting): SafeHtml {
  const { words } = setting;
  const { states, resources, fields, headings } = words;
  const shownStates = byState(members).map(([state]) => state);
  const groups = sumsBy(members, (member) => labelOf(member, key));
  const more = groups.length - mostValues;
  const rows = groups.slice(0, mostValues).map((group) => {
    const inStates = new Map(byState(group.all).map(([state, all]) => [state, all.length]));
    const [cpu, memory] = mainMeters(group, words);
    return html`<tr><th scope="row">${group.value ?? words.without}</th><td class="figure">${group.members}</td>${shownStates.map(
      (state) => html`<td class="figure">${inStates.get(state) ?? 0}</td>`,
    )}<td>${meterCell(cpu, resources.cpu, words)}</td><td>${meterCell(memory, resources.memory, words)}</td></tr>`;
  });
  const title = key === "type" ? fields.type : key;
  return html`<details class="sums"><summary>${title} <span class="quiet">${groups.length}</span></summary><table><thead><tr><th scope="col">${title}</th><th scope="col" class="figure">${headings.members}</th>${shownStates.map(
    (state) => html`<th scope="col" class="figure">${states[state]}</th>`,
  )}<th scope="col">${resources.cpu}</th><th scope="col">${resources.memory}</th></tr></thead><tbody>${rows}</tbody></table>${
    more > 0 ? html`<p>${words.more(more)}</p>` : ""
  }</details>`;
}

/** The states, those first that an admin may have to do something about. */
const states = [
  "pending",
  "leaving",
  "expired",
  "suspended",
  "asleep",
  "ready",
] as const satisfies readonly BoardMember["state"][];

/** Keys of the labels that members have, and `type`, which as for `members --by` is never a label. */
const labelKeys = ({ members }: Pick<BoardModel, "members">): string[] => [
  ...[...new Set(members.flatMap(({ labels }) => Object.keys(labels)))].filter((key) => key !== "type").sort(compare),
  "type",
];

function labelOf({ labels, type }: BoardMember, key: string): string | undefined {
  if (key === "type") {
    return type;
  }
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

const byState = (members: readonly BoardMember[]) =>
  states
    .map((state) => [state, members.filter((member) => member.state === state)] as const)
    .filter(([, all]) => all.length > 0);
