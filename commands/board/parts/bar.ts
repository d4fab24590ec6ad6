import { html, type SafeHtml } from "@remix-run/html-template";
import type { Meter } from "../meters.ts";
import type { Words } from "../words/en.ts";

/** Shares from which a bar has another colour; the figures beside it say the same. */
const nearly = 0.9;

/** A bar for the eye: the text beside it says the same. An image needs no style of its own, and is printed as it is. */
function bar(share: number | undefined): SafeHtml {
  const name = share === undefined || share < nearly ? "bar" : share < 1 ? "bar near" : "bar full";
  const width = Math.round((share ?? 0) * 1000) / 10;
  return html`<svg class="${name}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="1"/></svg>`;
}

const figures = ({ used, hard }: Meter): string => `${used ?? "?"} / ${hard}`;

/** A resource's use in a row. */
export const meterCell = (meter: Meter | undefined, title: string, words: Words): SafeHtml =>
  html`<span class="meter"><span class="label">${title} </span>${
    meter === undefined ? html`<span class="quiet">${words.noQuota}</span>` : html`${figures(meter)}${bar(meter.share)}`
  }</span>`;

/** All resources of a quota, a line for each. */
export function meterTable(meters: readonly Meter[], words: Words): SafeHtml {
  const { resource, use, share } = words.resources;
  const rows = meters.map(
    (meter) =>
      html`<tr><th scope="row">${meter.title}</th><td class="figure">${figures(meter)}</td><td>${
        meter.share === undefined ? words.uncounted : `${Math.floor(meter.share * 100)} %`
      }${bar(meter.share)}</td></tr>`,
  );
  return html`<table class="meters"><thead><tr><th scope="col">${resource}</th><th scope="col" class="figure">${use}</th><th scope="col">${share}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
