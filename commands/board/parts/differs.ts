import { html, type SafeHtml } from "@remix-run/html-template";
import type { BoardDifference } from "../model.ts";
import { english, type Setting } from "./texts.ts";

/** Most differences that a list names. */
const most = 20;

/** Differences between the cluster and what a run makes. */
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
