import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { deviceIn, storageClassIn } from "../../plan/objects/quotaClasses.ts";
import type { MemberOverview, Usage } from "../members/overview/overview.ts";
import { classesIn, memoryText } from "../members/rows.ts";
import type { Words } from "./words/en.ts";

/** Use of one resource, for a bar. */
export interface Meter {
  readonly title: string;
  /** As a quantity; undefined until the API server has counted. */
  readonly used: string | undefined;
  readonly hard: string;
  /** From 0 to 1; undefined until the API server has counted. */
  readonly share: number | undefined;
}

type Quotas = Pick<MemberOverview, "usage">;

/** CPU and memory, which every row shows. */
export const mainMeters = (
  { usage }: Quotas,
  { resources }: Words,
): readonly [Meter | undefined, Meter | undefined] => [
  meter(resources.cpu, usage?.["limits.cpu"]),
  meter(resources.memory, usage?.["limits.memory"], memoryText),
];

/** All that a quota limits and a bar shows: also pods, storage and devices. */
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

function meter(title: string, usage: Usage | undefined, text = (quantity: string) => quantity): Meter | undefined {
  return (
    usage && {
      title,
      used: usage.used && text(usage.used),
      hard: text(usage.hard),
      share: shareOf(usage),
    }
  );
}

/** Use above a limit of 0, or above a lowered limit, fills the bar. */
function shareOf({ used, hard }: Usage): number | undefined {
  const [part, whole] = [used, hard].map((quantity) => (quantity === undefined ? undefined : quantityValue(quantity)));
  if (part === undefined || whole === undefined) {
    return undefined;
  }
  return part <= 0 ? 0 : part >= whole ? 1 : part / whole;
}
