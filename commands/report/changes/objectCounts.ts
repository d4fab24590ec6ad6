import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import { limitsBy } from "../../../config/model/members/limits.ts";
import { figures } from "../../../plan/objects/resourceQuota.ts";
import type { Differing } from "../comparing.ts";
import type { ShownDifference } from "../model.ts";
import { maskedText } from "./values.ts";

type Side = "from" | "to";

/**
 * Reduces a quota's object counts of a dozen kinds to one line, if `maxObjects` and `maxPods` explain all of them.
 * Otherwise each count is reported by itself.
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

/** Whether these two figures alone determine a count. */
const isCounted = (name = "") => name.startsWith("count/") && nothing?.[name] !== something?.[name];

/** A kind whose count is `maxObjects` itself. */
const plain = "count/deployments.apps";

/** Change of a quota's object counts that follows from the number of buckets. */
export const bucketHeadroom = "room for what comes with buckets";

/** Each bucket adds one ConfigMap and one Secret to the counts; undefined if there may be another reason. */
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

/** A suspended member's quota holds no Jobs, whatever the figures. */
const isClosing = ({ path, from, to }: Differing) => path.at(-1) === "count/jobs.batch" && [from, to].includes("0");

/** The figure on one side, and whether it explains the counts. */
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
  /** Count beyond that without pods and buckets, each of which adds one. */
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
