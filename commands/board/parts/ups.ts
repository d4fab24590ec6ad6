import { html, type SafeHtml } from "@remix-run/html-template";
import type { BoardUp } from "../model.ts";
import { english, type Setting, time } from "./texts.ts";

const most = 20;

/** Runs that are shown at once; the others are behind a line that opens. */
const first = 3;

export function upList(ups: readonly BoardUp[], setting: Setting, none = setting.words.noUps): SafeHtml {
  const listOf = (some: readonly BoardUp[]) =>
    html`<ol class="ups">${some.map((up) => html`<li>${upItem(up, setting)}</li>`)}</ol>`;
  const more = ups.slice(first);
  return ups.length === 0
    ? html`<p>${none}</p>`
    : html`${listOf(ups.slice(0, first))}${
        more.length === 0
          ? ""
          : html`<details><summary>${setting.words.more(more.length)}</summary><div class="inside">${listOf(more)}</div></details>`
      }`;
}

function upItem(up: BoardUp, setting: Setting): SafeHtml {
  const { words } = setting;
  const { at, seconds, members, why, outcome, reason, changes } = up;
  const whom = members === undefined ? words.wholeStack : shortened(members, setting);
  const head = html`${time(at)} <b class="${outcome}">${words.outcomes[outcome]}</b> ${whom}, ${english(why, setting)} <span class="quiet">${countsOf(changes, setting)}, ${words.seconds(Math.round(seconds))}</span>`;
  const objects = changes
    .slice(0, most)
    .map(({ operation, name }) => html`<li>${words.changes(operation, 1)}: <code>${name}</code></li>`);
  const more = changes.length - objects.length;
  return html`<details><summary>${head}</summary><div class="inside">${
    reason === undefined ? "" : html`<p class="reason">${english(reason, setting)}</p>`
  }<ul>${objects.length === 0 ? html`<li>${words.noChanges}</li>` : objects}${
    more > 0 ? html`<li>${words.more(more)}</li>` : ""
  }</ul></div></details>`;
}

function shortened(names: readonly string[], { words }: Setting): string {
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [words.more(more)] : [])].join(", ");
}

function countsOf(changes: BoardUp["changes"], { words }: Setting): string {
  const counts = [...Map.groupBy(changes, ({ operation }) => operation)];
  return counts.map(([operation, all]) => words.changes(operation, all.length)).join(", ") || words.noChanges;
}

/** The runs that changed something of a member's, without what they did for others. */
export const upsOf = (member: string, ups: readonly BoardUp[]): BoardUp[] =>
  ups.flatMap(({ at, seconds, outcome, members, reason, why, changes }) => {
    const own = changes.filter(({ name }) => name.split("/")[0] === member);
    const isAlone = members?.length === 1 && members[0] === member;
    if (own.length === 0 && !isAlone) {
      return [];
    }
    const alone = isAlone
      ? { members, why, ...(reason === undefined ? {} : { reason }) }
      : { members: [member], why: "" };
    return [{ at, seconds, outcome, changes: own, ...alone }];
  });
