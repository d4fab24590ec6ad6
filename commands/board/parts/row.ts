import { html, type SafeHtml } from "@remix-run/html-template";
import { mainMeters, metersOf } from "../meters.ts";
import type { BoardMember } from "../model.ts";
import { meterCell, meterTable } from "./bar.ts";
import { factList, pathStateOf } from "./facts.ts";
import { badge, pageLink, type Setting } from "./texts.ts";

/** A member in a list: a line that opens. Nothing in the line itself can be clicked, since the line can. */
export function memberRow(member: BoardMember, setting: Setting): SafeHtml {
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

/** The part of an address that differs between members, and whether it is open. */
function pathText(member: BoardMember, { words }: Setting): SafeHtml {
  const { route } = member;
  const state = pathStateOf(member);
  const word = words.paths[state];
  const place = route?.path === "/" ? route.host : route?.path;
  return place === undefined
    ? html`<span class="quiet">${word}</span>`
    : state === "open"
      ? html`${place}`
      : html`${place} <span class="quiet">${word}</span>`;
}
