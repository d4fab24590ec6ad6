import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import type { Differing } from "../comparing.ts";
import type { ShownDifference } from "../model.ts";
import { maskedText } from "./values.ts";

interface Counts {
  readonly reported: readonly ShownDifference[];
  readonly rest: readonly Differing[];
}

/** A kind whose count is `maxObjects` itself. */
const plain = "count/deployments.apps";

/** Change of a quota's object counts that follows from the number of buckets. */
export const bucketHeadroom = "room for what comes with buckets";

const nameOf = ({ path }: Differing) => path.at(-1) ?? "";

/** Reduces a quota's object counts of a dozen kinds to one line, where `maxObjects` or the number of buckets has changed. */
export function withoutObjectCounts(found: readonly Differing[]): Counts {
  const objects = found.find((each) => nameOf(each) === plain);
  if (objects === undefined) {
    return withoutHeadroom(found);
  }
  // Counts of devices come and go with these, and a suspended member's quota holds no Jobs.
  const follows = (each: Differing) => nameOf(each).startsWith("count/") && endsOf(each) === endsOf(objects);
  return {
    reported: [{ what: "objects of each kind", from: maskedText(objects.from), to: maskedText(objects.to) }],
    rest: found.filter((each) => !follows(each)),
  };
}

/** Whether there is a count, and whether it allows any, before and after. */
const endsOf = ({ from, to }: Differing) =>
  [from, to].map((count) => (count === undefined || count === "0" ? count : "some")).join(" to ");

/** Each bucket adds one ConfigMap and one Secret to the counts. */
function withoutHeadroom(found: readonly Differing[]): Counts {
  const [secrets, configMaps] = ["count/secrets", "count/configmaps"].map((name) =>
    found.find((each) => nameOf(each) === name),
  );
  const more = (one: Differing | undefined) => amountOf(one?.to) - amountOf(one?.from);
  return more(secrets) === more(configMaps)
    ? {
        reported: [{ what: bucketHeadroom, from: maskedText(secrets?.from), to: maskedText(secrets?.to) }],
        rest: found.filter((one) => one !== secrets && one !== configMaps),
      }
    : { reported: [], rest: found };
}

const amountOf = (value: unknown) => quantityValue(typeof value === "string" ? value : "") ?? Number.NaN;
