import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import { limitsBy } from "../../../config/model/limits.ts";
import { figures } from "../../../plan/objects/resourceQuota.ts";
import type { Differing } from "../comparing.ts";
import type { ShownDifference } from "../model.ts";
import { maskedText } from "./values.ts";

type Side = "from" | "to";

/**
 * A quota counts objects of a dozen kinds by the same two figures, `maxObjects` and `maxPods`. Where these explain all of
 * them, one line says it; where they do not, each is left to be told by itself.
 */
export function withoutObjectCounts(found: readonly Differing[]): { reported: ShownDifference[]; rest: Differing[] } {
  const ofBuckets = headroomForBuckets(found);
  if (ofBuckets !== undefined) {
    return ofBuckets;
  }
  const counts = found.filter((each) => isCounted(each.path.at(-1)) && !isClosing(each));
  const [from, to] = (["from", "to"] as const).map((side) => objectsOf(counts, side));
  const isRead = counts.every((each) => [each.from, each.to].every((value) => isQuantity(value)));
  const isExplained = counts.length > 0 && isRead && from?.isWhole === true && to?.isWhole === true;
  if (!isExplained) {
    return { reported: [], rest: [...found] };
  }
  const reported = { what: "objects of each kind", from: from.text, to: to.text };
  return {
    reported: reported.from === reported.to ? [] : [reported],
    rest: found.filter((each) => !counts.includes(each)),
  };
}

const [nothing, something] = [0, 1].map((count) => figures({ ...limitsBy(() => 0), objects: count, pods: count }));

/** Whether what a quota holds follows from these two figures alone. */
const isCounted = (name = "") => name.startsWith("count/") && nothing?.[name] !== something?.[name];

/** A kind of which members have others by `maxObjects` alone. */
const plain = "count/deployments.apps";

/** What is told where a quota has room for another number of buckets, which follows from there being so many. */
export const bucketHeadroom = "room for what comes with buckets";

/** For each bucket there is room for one ConfigMap and one Secret more; undefined where something else may be the reason. */
function headroomForBuckets(
  found: readonly Differing[],
): { reported: ShownDifference[]; rest: Differing[] } | undefined {
  const [secrets, configMaps, others] = ["count/secrets", "count/configmaps", plain].map((name) =>
    found.find(({ path }) => path.at(-1) === name),
  );
  const more = (one: Differing | undefined) =>
    (quantityOf(one?.to) ?? Number.NaN) - (quantityOf(one?.from) ?? Number.NaN);
  return others === undefined && more(secrets) === more(configMaps)
    ? {
        reported: [{ what: bucketHeadroom, from: maskedText(secrets?.from), to: maskedText(secrets?.to) }],
        rest: found.filter((one) => one !== secrets && one !== configMaps),
      }
    : undefined;
}

/** Of who is suspended the quota holds no Jobs, which no figure says. */
const isClosing = ({ path, from, to }: Differing) => path.at(-1) === "count/jobs.batch" && [from, to].includes("0");

/** What the figure must have been on one side, and whether it explains what is there. */
function objectsOf(counts: readonly Differing[], side: Side): { text: string | undefined; isWhole: boolean } {
  const values = Object.fromEntries(counts.map((each) => [each.path.at(-1) ?? "", quantityOf(each[side])]));
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  if (present.length === 0) {
    return { text: undefined, isWhole: true };
  }
  const objects = values[plain];
  if (objects === undefined) {
    return { text: undefined, isWhole: false };
  }
  const without = figuresOf(objects, 0);
  /** How many more there are than without pods and buckets: each of these counts for one. */
  const beyond = (name: string) => {
    const least = quantityValue(without[name] ?? "") ?? 0;
    return (values[name] ?? least) - least;
  };
  const pods = beyond("count/pods");
  const buckets = beyond("count/configmaps");
  const expected = figuresOf(objects, pods, buckets);
  return {
    text: String(objects),
    isWhole: present.every(([key, value]) => quantityValue(expected[key] ?? "") === value),
  };
}

const isQuantity = (value: unknown) => value === undefined || quantityOf(value) !== undefined;
const quantityOf = (value: unknown) => (typeof value === "string" ? quantityValue(value) : undefined);

const figuresOf = (objects: number, pods: number, buckets = 0): Readonly<Record<string, string>> =>
  figures({ ...limitsBy(() => 0), objects, pods }, buckets);
