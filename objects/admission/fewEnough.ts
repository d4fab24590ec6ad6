import type { Settings } from "../../config/settings.ts";
import { refusing, titleOf } from "./admissionPolicy.ts";

/**
 * Most items that a policy goes through one by one. The API server keeps account of what a loop costs in a time that grows
 * by the square of its length: 10,000 items take it seconds of CPU, which everybody waits for, and its limit of costs comes
 * too late. `amounts` allows fewer of most items, but doesn't save that time: all policies judge a request.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export const mostJudged = 1000;

/** The object as it is to be, and as it was. */
export type Side = "object" | "oldObject";

/** Items of an object through which a policy goes. */
interface Items {
  /** CEL: a list or map, which is empty where the object has none. */
  readonly list: string;
  /** CEL: lists or maps within each of its items, which is `each`. */
  readonly within?: readonly string[];
}

interface Judged {
  /** What the items are, in the plural. */
  readonly what: string;
  readonly itemsOf: (side: Side) => readonly Items[];
  /** CEL: whose objects may have more, which then are not judged. Default: nobody's. */
  readonly unless?: string;
  /** CEL: the object's name. Default: that in its metadata. */
  readonly name?: string;
}

/**
 * Has a policy judge few items alone, and refuse more of them unless all stay as they are: objects that are there already
 * keep them, so that they can be scaled and their finalizers taken off. Each loop goes into `ifFew`, or begins with it.
 * A condition of the whole policy would not do: where that is false, it judges nothing.
 */
export function fewEnough({ what, itemsOf, unless, name }: Judged, settings: Pick<Settings, "contact">) {
  const [judged, judgedBefore, count, countBefore] = [listsOf, countOf].flatMap((of) =>
    (["object", "oldObject"] as const).map((side) => of(side, itemsOf(side))),
  ) as [string, string, string, string];
  return {
    variables: {
      judged,
      judgedBefore,
      count,
      countBefore,
      isFew: `variables.count <= ${mostJudged}`,
      wasFew: `variables.countBefore <= ${mostJudged}`,
    },
    validation: refusing(settings, `, or ask ${settings.contact}`)(
      `variables.isFew || variables.judged == variables.judgedBefore${unless === undefined ? "" : ` || ${unless}`}`,
      `"has " + string(variables.count) + " ${what}, which the API server would be long busy with: leave it at ${mostJudged}"`,
      titleOf(name),
    ),
  };
}

/** CEL: what a loop gives; an empty list where it would take long. */
export const ifFew = (loop: string, side: Side = "object") =>
  `(variables.${side === "object" ? "isFew" : "wasFew"} ? ${loop} : [])`;

/** CEL: the lists and maps themselves. */
const listsOf = (side: Side, items: readonly Items[]) =>
  `${side} == null ? [] : [${items.map(({ list }) => `dyn(${list})`).join(", ")}]`;

/** CEL: number of the items, with those within them unless there are too many to add those up. */
function countOf(side: Side, items: readonly Items[]): string {
  const all = `(${items.map(({ list }) => `${list}.size()`).join(" + ")})`;
  const more = items.flatMap(({ list, within = [] }) =>
    within.length === 0 ? [] : [`${list}.map(each, ${within.map((each) => `${each}.size()`).join(" + ")}).sum()`],
  );
  return more.length === 0
    ? `${side} == null ? 0 : ${all}`
    : `${side} == null ? 0 : ${all} > ${mostJudged} ? ${all} : ${all} + ${more.join(" + ")}`;
}
