import { html, type SafeHtml } from "@remix-run/html-template";
import { routeUrl, wakeName } from "../../../config/names/names.ts";
import { momentText } from "../../../config/schedule.ts";
import type { BoardDifference, BoardMember, Turn } from "../model.ts";
import { english, type Setting, webLink } from "./texts.ts";

type Fact = readonly [title: string, value: SafeHtml | string | undefined];

export function factList(member: BoardMember, setting: Setting): SafeHtml {
  const { fields } = setting.words;
  const { turn } = member;
  const facts: readonly Fact[] = [
    [fields.reason, member.reason && english(member.reason, setting)],
    [fields.path, pathFact(member, setting)],
    [fields.stack, setting.hasStacks ? member.stack : undefined],
    [fields.namespace, html`<code>${member.namespace}</code>`],
    [fields.type, member.type ?? "?"],
    [fields.labels, listed(Object.entries(member.labels).map(([key, value]) => html`<code>${key}: ${value}</code>`))],
    [fields.expires, member.expires],
    [fields.leaves, member.leaves],
    [fields.turn, turn && turnFact(turn, member.namespace, setting)],
    [fields.protected, member.protected ? setting.words.protected : undefined],
    ...belongings(member, setting),
    [fields.differs, member.differs && differenceList(member.differs, setting)],
  ];
  const shown = facts.filter(([, value]) => value !== undefined && value !== "");
  return html`<dl>${shown.map(([title, value]) => html`<dt>${title}</dt><dd>${value}</dd>`)}</dl>`;
}

function turnFact({ to, at, timeZone, wakeFor }: Turn, namespace: string, { words }: Setting): SafeHtml {
  const text = words.turn(to, momentText(new Date(at), timeZone));
  return wakeFor === undefined
    ? html`${text}`
    : html`${text}<br>${words.ownWake(wakeFor)} <code>kubectl create configmap ${wakeName} -n ${namespace}</code>`;
}

function pathFact(member: BoardMember, { words }: Setting): SafeHtml {
  const { route } = member;
  return html`${words.paths[pathStateOf(member)]}${route === undefined ? "" : html` ${webLink(routeUrl(route))}`}`;
}

/**
 * - `open`: visitors reach the member's app
 * - `doubtful`: the path is open, and the reason says what is wrong with it, or closes it next
 * - `pending`: the path opens once the reason is gone
 * - `closed`: no path while the member is asleep, suspended, expired or leaving
 * - `none`: the member is to have no path
 */
type PathState = "open" | "doubtful" | "pending" | "closed" | "none";

export function pathStateOf({ route, state, reason }: Pick<BoardMember, "route" | "state" | "reason">): PathState {
  if (route !== undefined) {
    return state === "ready" && reason === undefined ? "open" : "doubtful";
  }
  if (state === "ready") {
    return "none";
  }
  return state === "pending" ? "pending" : "closed";
}

function belongings({ starter, buckets, staff, ci }: BoardMember, { words }: Setting): Fact[] {
  const { fields } = words;
  return [
    [fields.starter, starter && words.starter(starter.mode, starter.available, starter.replicas)],
    [
      fields.buckets,
      listed(
        buckets.map(
          ({ name, bucketName, endpoint, ready }) =>
            html`<code>${name}</code>${bucketName === undefined || bucketName === name ? "" : ` ${bucketName}`}${
              endpoint === undefined ? "" : ` ${endpoint}`
            }${ready === false ? ` (${words.bucketMissing})` : ""}`,
        ),
      ),
    ],
    [
      fields.staff,
      listed(
        staff.map(
          ({ role, kind, name, until, reason }) =>
            html`${role}: ${kind} <code>${name}</code>${until === undefined ? "" : ` (${words.until(until, reason)})`}`,
        ),
      ),
    ],
    [fields.ci, listed(ci.map(({ kind, name }) => html`${kind} <code>${name}</code>`))],
  ];
}

const listed = (items: readonly SafeHtml[]): SafeHtml | undefined =>
  items.length === 0 ? undefined : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

const most = 20;

export function differenceList(differs: readonly BoardDifference[], setting: Setting): SafeHtml {
  const { words } = setting;
  const shown = differs
    .slice(0, most)
    .map(
      ({ what, object }) =>
        html`<li>${words.difference[what]}${object === undefined ? "" : html`: <code>${english(object, setting)}</code>`}</li>`,
    );
  const more = differs.length - shown.length;
  return differs.length === 0
    ? html`${words.nothingDiffers}`
    : html`<ul>${shown}${more > 0 ? html`<li>${words.more(more)}</li>` : ""}</ul>`;
}
