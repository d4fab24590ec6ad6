import { html, type SafeHtml } from "@remix-run/html-template";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { deviceIn, storageClassIn } from "../../objects/quotaClasses.ts";
import type { MemberOverview, Usage } from "../../plan/members/overview.ts";
import { classesIn, memoryText } from "../common/usage.ts";
import type { Words } from "./words/en.ts";

/** Use of a resource; its share is from 0 to 1, and undefined until the API server has counted. */
type Meter = NonNullable<ReturnType<typeof meter>>;

type Quotas = Pick<MemberOverview, "usage">;

export const mainMeters = (
  { usage }: Quotas,
  { resources }: Words,
): readonly [Meter | undefined, Meter | undefined] => [
  meter(resources.cpu, usage?.["limits.cpu"]),
  meter(resources.memory, usage?.["limits.memory"], memoryText),
];

export function metersOf({ usage, pods }: Quotas & Partial<Pick<MemberOverview, "pods">>, words: Words): Meter[] {
  const { resources, device, storageClass } = words;
  // The quota's own count of pods is a moment late.
  const livePods = usage?.pods && { used: pods === undefined ? usage.pods.used : String(pods), hard: usage.pods.hard };
  return [
    ...mainMeters({ usage }, words),
    meter(resources.pods, livePods),
    meter(resources.storage, usage?.["requests.storage"], memoryText),
    meter(resources.claims, usage?.persistentvolumeclaims),
    ...classesIn(usage, deviceIn).map(([name, each]) => meter(device(name), each)),
    ...classesIn(usage, storageClassIn).map(([name, each]) => meter(storageClass(name), each, memoryText)),
  ].filter((each) => each !== undefined);
}

function meter(title: string, usage: Usage | undefined, text = (quantity: string) => quantity) {
  return usage && { title, used: usage.used && text(usage.used), hard: text(usage.hard), share: shareOf(usage) };
}

/** Use above a limit of 0, or above a lowered limit, fills the bar. */
function shareOf({ used, hard }: Usage): number | undefined {
  const [part, whole] = [used, hard].map((quantity) => (quantity === undefined ? undefined : quantityValue(quantity)));
  if (part === undefined || whole === undefined) {
    return undefined;
  }
  if (part <= 0) {
    return 0;
  }
  return part >= whole ? 1 : part / whole;
}

/** Shares from which a bar has another colour; the figures beside it say the same. */
const nearly = 0.9;

/** A bar for the eye: the text beside it says the same. An image needs no style of its own, and is printed as it is. */
function bar(share: number | undefined): SafeHtml {
  const width = Math.round((share ?? 0) * 1000) / 10;
  return html`<svg class="bar${colourOf(share)}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="1"/></svg>`;
}

function colourOf(share = 0): string {
  if (share < nearly) {
    return "";
  }
  return share < 1 ? " near" : " full";
}

const figures = ({ used, hard }: Meter): string => `${used ?? "?"} / ${hard}`;

export const meterCell = (meter: Meter | undefined, title: string, words: Words): SafeHtml =>
  html`<span class="meter"><span class="label">${title} </span>${
    meter === undefined ? html`<span class="quiet">${words.noQuota}</span>` : html`${figures(meter)}${bar(meter.share)}`
  }</span>`;

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
