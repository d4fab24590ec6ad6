import { html, type SafeHtml } from "@remix-run/html-template";
import { groupsOf, type MemberGroup } from "../../members/sums.ts";
import { mainMeters } from "../meters.ts";
import type { BoardModel } from "../model.ts";
import { meterCell } from "./bar.ts";
import { byState, labelKeys, labelOf } from "./groups.ts";
import type { Setting } from "./texts.ts";

/** Most values of a label that a table has; a label such as a student's number has one for each member. */
const most = 100;

/** For each label, a table of its values with members, states and the sum of quotas. */
export const labelTables = (model: BoardModel, setting: Setting): SafeHtml[] =>
  labelKeys(model).map((key) => labelTable(key, model, setting));

function labelTable(key: string, { members }: BoardModel, setting: Setting): SafeHtml {
  const { words } = setting;
  const { states, resources, fields, headings } = words;
  const shownStates = byState(members).map(([state]) => state);
  const groups = groupsOf(members, (member) => labelOf(member, key));
  const more = groups.length - most;
  const counts = new Map(
    [...Map.groupBy(members, (member) => labelOf(member, key))].map(([value, all]) => [value, byState(all)]),
  );
  const rows = groups.slice(0, most).map((group: MemberGroup) => {
    const inStates = new Map(counts.get(group.value)?.map(([state, all]) => [state, all.length]));
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
